/// Numbered places for what a host creates on the board. Whatever is created gets the lowest free number; when none
/// is left, nothing is created and nothing is said (protocol reference 14.4).
struct SlotTable<Content: Sendable>: Sendable, Sequence {
  private var slots: [Content?]

  /// At most 255 slots: 255 is no id.
  init(count: Int) { slots = Array(repeating: nil, count: Swift.min(Swift.max(count, 0), 255)) }

  /// Nil when there is no such slot or it is empty; setting a slot that does not exist does nothing.
  subscript(slot: UInt8) -> Content? {
    get { Int(slot) < slots.count ? slots[Int(slot)] : nil }
    set { if Int(slot) < slots.count { slots[Int(slot)] = newValue } }
  }

  /// The slot that was taken; nil if all are full.
  mutating func insert(_ content: Content) -> UInt8? {
    guard let free = slots.firstIndex(where: { $0 == nil }) else { return nil }
    slots[free] = content
    return UInt8(free)
  }

  mutating func removeAll() { slots = Array(repeating: nil, count: slots.count) }

  /// Changes what is in a slot, in place; nil if nothing is.
  @discardableResult
  mutating func update<Result>(_ slot: UInt8, _ change: (inout Content) -> Result) -> Result? {
    guard Int(slot) < slots.count, var content = slots[Int(slot)] else { return nil }
    // Taken out while it changes, so that there is only one of it and nothing is copied.
    slots[Int(slot)] = nil
    defer { slots[Int(slot)] = content }
    return change(&content)
  }

  /// The slots in use, lowest first.
  func makeIterator() -> AnyIterator<(slot: UInt8, value: Content)> {
    var next = 0
    return AnyIterator {
      while next < slots.count {
        defer { next += 1 }
        if let content = slots[next] { return (UInt8(next), content) }
      }
      return nil
    }
  }
}

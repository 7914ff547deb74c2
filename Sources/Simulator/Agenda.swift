/// Who wants to be woken when: at most one time per key. Of errands at the same time the one that was set first
/// comes first, so that a run is reproducible.
package struct Agenda<Key: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    let time: Duration
    let number: UInt64
    let key: Key

    func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
  }

  /// A binary heap; entries that were replaced stay until they come to the top.
  private var heap: [Entry] = []
  private var current: [Key: UInt64] = [:]
  private var lastNumber: UInt64 = 0

  package init() {}

  /// Nil takes the key off the agenda. Setting the same time again moves it behind others of that time.
  package mutating func set(_ key: Key, at time: Duration?) {
    guard let time else {
      current[key] = nil
      return
    }
    lastNumber += 1
    current[key] = lastNumber
    heap.append(Entry(time: time, number: lastNumber, key: key))
    siftUp()
  }

  /// The earliest time on the agenda.
  package mutating func next() -> Duration? {
    dropReplaced()
    return heap.first?.time
  }

  /// Takes off the earliest key that is due; nil if none is.
  package mutating func popDue(at now: Duration) -> Key? {
    dropReplaced()
    guard let entry = heap.first, entry.time <= now else { return nil }
    current[entry.key] = nil
    removeFirst()
    return entry.key
  }

  private mutating func dropReplaced() {
    while let entry = heap.first, current[entry.key] != entry.number { removeFirst() }
  }

  private mutating func siftUp() {
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      let children = (2 * parent + 1...2 * parent + 2).filter { $0 < heap.count }
      guard let least = children.min(by: { heap[$0].isBefore(heap[$1]) }), heap[least].isBefore(heap[parent])
      else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

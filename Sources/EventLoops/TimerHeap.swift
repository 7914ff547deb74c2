/// Who is to be called when: the earliest deadline first, equal deadlines in the order they were added.
///
/// A binary heap with lazy removal: a removed entry stays until it surfaces, or until such entries are the
/// majority, because most timers guard calls that are answered long before their deadline.
package struct TimerHeap<Instant: Comparable & Sendable, Element: Sendable>: Sendable {
  package struct ID: Hashable, Sendable { fileprivate let number: UInt64 }

  private struct Entry: Sendable {
    let deadline: Instant
    let id: ID

    func precedes(_ other: Entry) -> Bool {
      deadline < other.deadline || (deadline == other.deadline && id.number < other.id.number)
    }
  }

  private var heap: [Entry] = []
  private var elements: [ID: Element] = [:]
  private var lastNumber: UInt64 = 0

  package init() {}

  var count: Int { elements.count }

  /// Entries kept in memory, removed ones included; bounded by twice `count` and a little.
  var footprint: Int { heap.count }

  package mutating func insert(_ element: Element, at deadline: Instant) -> ID {
    lastNumber &+= 1
    let id = ID(number: lastNumber)
    elements[id] = element
    heap.append(Entry(deadline: deadline, id: id))
    siftUp(heap.count - 1)
    return id
  }

  @discardableResult
  package mutating func remove(_ id: ID) -> Element? {
    let element = elements.removeValue(forKey: id)
    if heap.count > 2 * elements.count + 32 { compact() }
    return element
  }

  package mutating func nextDeadline() -> Instant? {
    dropRemoved()
    return heap.first?.deadline
  }

  /// The first element whose deadline is not after `now`, taken out.
  package mutating func popDue(now: Instant) -> Element? {
    dropRemoved()
    guard let first = heap.first, first.deadline <= now else { return nil }
    removeTop()
    return elements.removeValue(forKey: first.id)
  }

  private mutating func dropRemoved() {
    while let first = heap.first, elements[first.id] == nil { removeTop() }
  }

  private mutating func removeTop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func compact() {
    // A sorted array is a heap.
    heap = heap.filter { elements[$0.id] != nil }.sorted { $0.precedes($1) }
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].precedes(heap[smallest]) { smallest = child }
      }
      if smallest == parent { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }
}

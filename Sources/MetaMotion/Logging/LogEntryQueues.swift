import BoardKit

/// What loggers wrote down and what waits for the rest of its sample: one queue per logger, first in, first out.
///
/// All lie in one array, so that nothing is allocated while entries come. A queue that is full gives up its oldest
/// entry: the rest of that sample will not come any more.
struct LogEntryQueues: Sendable {
  /// One entry that waits.
  struct Waiting: Sendable {
    var head: UInt8
    var tick: UInt32
    var data: UInt32
    /// How many entries came before it.
    var arrival: Int
    /// Whether its tick is not to be believed; it is that of the entry before it then.
    var isDoubtful = false

    /// The entry as it came.
    func append(to entries: inout [UInt8]) {
      entries.append(head)
      entries.append(number: tick)
      entries.append(number: data)
    }
  }

  /// A board writes the parts of a sample together; what lies further apart are no parts of one.
  static let capacity = 64

  private var places: [Waiting]
  private var firsts: [Int]
  private(set) var counts: [Int]

  /// Empty queues, `count` of them.
  init(_ count: Int) {
    places = Array(
      repeating: Waiting(head: 0, tick: 0, data: 0, arrival: 0), count: count * Self.capacity)
    firsts = Array(repeating: 0, count: count)
    counts = Array(repeating: 0, count: count)
  }

  /// Adds an entry behind the others of a queue.
  mutating func append(_ entry: Waiting, to queue: Int) {
    if counts[queue] == Self.capacity { removeFirst(of: queue) }
    places[place(counts[queue], in: queue)] = entry
    counts[queue] += 1
  }

  /// Where the entry lies that is at `place` in a queue.
  private func place(_ place: Int, in queue: Int) -> Int {
    queue * Self.capacity + (firsts[queue] + place) % Self.capacity
  }

  /// The oldest entry of a queue that is not empty.
  func first(of queue: Int) -> Waiting { places[place(0, in: queue)] }

  mutating func removeFirst(of queue: Int) {
    firsts[queue] = (firsts[queue] + 1) % Self.capacity
    counts[queue] -= 1
  }

  mutating func removeAll(of queue: Int) { counts[queue] = 0 }

  /// All that waits, in the order in which it came.
  var all: [Waiting] {
    var all: [Waiting] = []
    for queue in counts.indices {
      for place in 0..<counts[queue] { all.append(places[self.place(place, in: queue)]) }
    }
    return all.sorted { $0.arrival < $1.arrival }
  }
}

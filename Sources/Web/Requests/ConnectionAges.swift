/// How long connections have been there. Each is for one request and its answer, and a time-out alone does not end one
/// whose bytes come one by one, or are taken so (fault F227). Times are those that the server runs. Pure.
struct ConnectionAges: Sendable {
  /// How long a request and its answer may take.
  let limit: Duration
  private var since: [UInt: Duration] = [:]
  private var last: UInt = 0

  init(limit: Duration) { self.limit = limit }

  var isEmpty: Bool { since.isEmpty }

  /// A connection begins; returns its number, from 1.
  mutating func began(at now: Duration) -> UInt {
    last += 1
    since[last] = now
    return last
  }

  mutating func ended(_ number: UInt) { since[number] = nil }

  /// It has as long again from now on.
  mutating func restart(_ number: UInt, at now: Duration) { since[number] = now }

  /// Takes those that have had their time, in their order.
  mutating func takeOverdue(at now: Duration) -> [UInt] {
    let overdue = since.filter { now - $0.value >= limit }.keys.sorted()
    for number in overdue { since[number] = nil }
    return overdue
  }
}

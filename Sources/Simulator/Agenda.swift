import EventLoops

/// Who wants to be woken when: at most one time per key. Of errands at the same time the one that was set first
/// comes first, so that a run is reproducible.
package struct Agenda<Key: Hashable & Sendable>: Sendable {
  private typealias Times = TimerHeap<Duration, Key>

  private var times = Times()
  private var places: [Key: Times.ID] = [:]

  package init() {}

  /// Nil takes the key off the agenda. Setting the same time again moves it behind others of that time.
  package mutating func set(_ key: Key, at time: Duration?) {
    if let place = places.removeValue(forKey: key) { times.remove(place) }
    if let time { places[key] = times.insert(key, at: time) }
  }

  /// Takes keys off the agenda.
  package mutating func cancel(_ keys: [Key]) { for key in keys { set(key, at: nil) } }

  /// The earliest time on the agenda.
  package mutating func next() -> Duration? { times.nextDeadline() }

  /// Takes off the earliest key that is due; nil if none is.
  package mutating func popDue(at now: Duration) -> Key? {
    guard let key = times.popDue(now: now) else { return nil }
    places[key] = nil
    return key
  }
}

import BoardKit
import FleetModel

/// Events that nobody has fetched yet, in order. Of several sightings of a board by an adapter only the newest is
/// kept, at the place of the first: a consumer that falls behind costs no memory.
struct RadioEventQueue: Sendable {
  private enum Entry: Sendable {
    case event(RadioEvent)
    case sighting(DeviceKey)
  }

  private var entries: [Entry] = []
  private var first = 0
  private var sightings: [DeviceKey: Sighting] = [:]

  mutating func append(_ event: RadioEvent) {
    guard case .sighting(let sighting) = event else { return entries.append(.event(event)) }
    let key = DeviceKey(board: sighting.board, adapter: sighting.adapter)
    if sightings.updateValue(sighting, forKey: key) == nil { entries.append(.sighting(key)) }
  }

  mutating func next() -> RadioEvent? {
    guard first < entries.count else { return nil }
    let entry = entries[first]
    first += 1
    if first == entries.count {
      entries.removeAll(keepingCapacity: true)
      first = 0
    } else if first > 256 {
      entries.removeFirst(first)
      first = 0
    }
    switch entry {
    case .event(let event): return event
    case .sighting(let key): return sightings.removeValue(forKey: key).map { .sighting($0) } ?? next()
    }
  }
}

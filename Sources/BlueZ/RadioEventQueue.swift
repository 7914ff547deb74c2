import BoardKit
import FleetModel

/// Events that nobody has fetched yet, in order. Of several advertisements of a board by an adapter only the newest is
/// kept, at the place of the first: a consumer that falls behind costs no memory.
struct RadioEventQueue: Sendable {
  private enum Entry: Sendable {
    case event(RadioEvent)
    case advertisement(DeviceKey)
  }

  private var entries: [Entry] = []
  private var first = 0
  private var advertisementReports: [DeviceKey: AdvertisementReport] = [:]

  mutating func append(_ event: RadioEvent) {
    guard case .advertisement(let report) = event else { return entries.append(.event(event)) }
    let key = DeviceKey(board: report.board, adapter: report.adapter)
    if advertisementReports.updateValue(report, forKey: key) == nil { entries.append(.advertisement(key)) }
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
    case .advertisement(let key):
      return advertisementReports.removeValue(forKey: key).map { .advertisement($0) } ?? next()
    }
  }
}

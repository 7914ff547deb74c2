package import BoardKit

/// What a radio has to report and nobody has fetched yet. Advertisements of one board by one adapter coalesce, so the
/// queue is bounded by what there is in the world, not by how slow its reader is.
package struct RadioEventQueue: Sendable {
  private var events: [RadioEvent] = []

  package init() {}

  package mutating func append(_ event: RadioEvent) {
    if case .advertisement(let new) = event,
      let index = events.firstIndex(where: {
        if case .advertisement(let old) = $0 {
          old.board == new.board && old.adapter == new.adapter
        } else {
          false
        }
      })
    {
      events[index] = event
    } else {
      events.append(event)
    }
  }

  package mutating func popFirst() -> RadioEvent? { events.isEmpty ? nil : events.removeFirst() }
}

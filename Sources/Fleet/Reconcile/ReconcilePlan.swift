import FleetModel

/// What must happen to come from the boards we look after to the boards that are wanted. Equal inputs give an empty
/// plan.
struct ReconcilePlan: Hashable, Sendable {
  var start: [DesiredBoard]
  var change: [DesiredBoard]
  var retire: [BoardID]

  init(from present: [BoardID: DesiredBoard], to wanted: [BoardID: DesiredBoard]) {
    start = wanted.values.filter { present[$0.board] == nil }.sorted { $0.board < $1.board }
    change = wanted.values.filter { present[$0.board] != nil && present[$0.board] != $0 }
      .sorted { $0.board < $1.board }
    retire = present.keys.filter { wanted[$0] == nil }.sorted()
  }

  var isEmpty: Bool { start.isEmpty && change.isEmpty && retire.isEmpty }
}

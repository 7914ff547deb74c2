import Dialects
import FleetModel

extension FleetView {
  /// The boards as people list them: by name, then by id.
  var sorted: [Board] {
    boards.values.sorted { left, right in
      left.name == right.name ? left.id < right.id : NaturalOrder.isBefore(left.name, right.name)
    }
  }
}

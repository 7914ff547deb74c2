import BoardKit
import FleetModel

/// What a sample of a stream holds. Pure.
struct StreamShape {
  /// What it holds on the wire.
  let fields: [StreamDefinition.Field]
  /// Which value of the board's vector it is; nil where it is all of it.
  let component: Int?
  /// Values in a sample as the board may send it.
  let width: Int
  /// What its values can be; nil where packets cannot carry anything else.
  let check: SampleCheck?

  /// Nil for a name that the catalogue lacks, where the board does not say itself what its samples hold.
  init?(_ active: ActiveStream) {
    if let own = active.fields {
      (fields, component, width) = (own, nil, own.count)
    } else {
      guard let (definition, component) = StreamCatalogue.find(active.request.name) else { return nil }
      fields = component.map { [definition.fields[$0]] } ?? definition.fields
      (self.component, width) = (component, definition.fields.count)
    }
    check = SampleCheck(of: active.request.name, holding: fields)
  }
}

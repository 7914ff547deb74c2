package import FleetModel

/// A module in the `info` document of a board.
package struct ModuleDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ module: BoardDescription.Module) {
    self.init {
      $0[.id] = Int(module.id)
      $0[.isPresent] = module.isPresent
      guard module.isPresent else { return }
      $0[.implementation] = module.implementation.map { Int($0) }
      $0[.revision] = module.revision.map { Int($0) }
      $0[.extra] = Hex.string(module.extra)
    }
  }
}

extension DocumentField where Document == ModuleDocument, Value == Int {
  package static var id: Self { .init("id") }
  package static var implementation: Self { .init("implementation") }
  package static var revision: Self { .init("revision") }
}

extension DocumentField where Document == ModuleDocument, Value == Bool {
  package static var isPresent: Self { .init("present") }
}

extension DocumentField where Document == ModuleDocument, Value == String {
  /// In hexadecimal.
  package static var extra: Self { .init("extra") }
}

/// A stream in the `info` document of a board.
package struct OfferedStreamDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  /// `offers` are the values that its parameters can have on this board; `isLoggable`: it is none that this board alone
  /// cannot log.
  init(_ stream: StreamDefinition, _ offers: JSONObject, isLoggable: Bool = true) {
    self.init {
      $0[.fields] = stream.fields.map {
        ["name": .string($0.name), "unit": .string($0.unit), "type": .string($0.kind.rawValue)]
      }
      $0[.via] = stream.outlet.rawValue
      $0[.isStreamable] = stream.isStreamable
      $0[.isLoggable] = stream.isLoggable && isLoggable
      $0[.isReadable] = stream.isReadable
      $0[.modules] = [stream.module]
      if !stream.components.isEmpty { $0[.components] = stream.components }
      $0[.logEntries] = isLoggable ? stream.logEntries : nil
      if !offers.isEmpty { $0[.offers] = offers }
    }
  }

  /// Names of its fields, in their order.
  package var fieldNames: [String] { self[.fields]?.compactMap { $0["name"]?.string } ?? [] }

  /// Digits after the point that a sample has at most.
  static let mostDecimals = 6

  /// Its fields as it declares them, with as many digits as there may be.
  package var declaredFields: [StreamDefinition.Field] {
    self[.fields]?.compactMap { field in
      guard let name = field["name"]?.string else { return nil }
      let kind = field["type"]?.string.flatMap(StreamDefinition.Field.Kind.init(rawValue:)) ?? .number
      return .init(
        name, field["unit"]?.string ?? "", kind, decimals: kind == .number ? Self.mostDecimals : 0)
    } ?? []
  }
}

extension DocumentField where Document == OfferedStreamDocument, Value == [JSONObject] {
  fileprivate static var fields: Self { .init("fields") }
}

extension DocumentField where Document == OfferedStreamDocument, Value == [String] {
  package static var modules: Self { .init("modules") }
  package static var components: Self { .init("components") }
}

extension DocumentField where Document == OfferedStreamDocument, Value == String {
  package static var via: Self { .init("via") }
}

extension DocumentField where Document == OfferedStreamDocument, Value == Bool {
  package static var isStreamable: Self { .init("streamable") }
  package static var isLoggable: Self { .init("loggable") }
  package static var isReadable: Self { .init("readable") }
}

extension DocumentField where Document == OfferedStreamDocument, Value == Int {
  package static var logEntries: Self { .init("entries") }
}

extension DocumentField where Document == OfferedStreamDocument, Value == JSONObject {
  package static var offers: Self { .init("offers") }
}

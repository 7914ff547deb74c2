package import FleetModel

/// The `info` document of a board (MQTT contract 1.1).
package struct BoardInfoDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ info: BoardInfo, gateway: String) {
    self.init {
      $0[.version] = 1
      $0[.changed] = info.changed
      $0[.board] = info.board
      $0[.gateway] = gateway
      $0[.address] = info.board.address.colonSeparated
      $0[.family] = info.family
      $0[.name] = info.name
      $0[.site] = info.site
      $0[.profile] = info.profile
      $0[.groups] = info.groups
      $0[.labels] = JSONObject(info.labels.sorted { $0.key < $1.key }.map { ($0, .string($1)) })
      $0[.verbs] = info.verbs
      if let description = info.description { $0.describe(description, chains: info.chains) }
      if info.description != nil {
        $0[.isHardwareListed] = info.isHardwareListed
        $0[.interviewed] = info.interviewed
      }
    }
  }

  /// What the board reported of itself.
  private mutating func describe(_ description: BoardDescription, chains: [ChainStream]) {
    self[.model] = description.model
    self[.modelNumber] = description.modelNumber
    self[.manufacturer] = description.manufacturer
    self[.serial] = description.serialNumber
    self[.hardware] = description.hardwareRevision
    self[.firmware] = description.firmwareRevision
    self[.imu] = description.imu
    self[.modules] = JSONObject(
      description.modules.sorted { $0.value.id < $1.value.id }.map { ($0, ModuleDocument($1).json.json) })
    self[.slots] = Self.slots(description.slots)
    var streams = JSONObject(
      description.streams.compactMap { offered in
        StreamCatalogue.find(offered.name).map {
          (
            offered.name,
            OfferedStreamDocument($0.stream, offered.offers, isLoggable: offered.isLoggable).json.json
          )
        }
      })
    // A chain may bear the name of a detector; it is the one that can be streamed then.
    for chain in chains { streams[chain.name] = OfferedStreamDocument(chain.definition, [:]).json.json }
    self[.streams] = streams
  }

  private static func slots(_ slots: BoardDescription.Slots) -> JSONObject {
    var document = JSONObject()
    document["loggers"] = slots.loggers?.json
    document["processors"] = slots.processors?.json
    document["events"] = slots.events?.json
    document["timers"] = slots.timers?.json
    document["macros"] = slots.macros?.json
    document["log_entries"] = slots.logEntries?.json
    return document
  }

  /// Its modules by name.
  package var modules: [(name: String, module: ModuleDocument)] {
    self[.modules]?.members.compactMap { name, value in
      value.object.map { (name, ModuleDocument(json: $0)) }
    } ?? []
  }

  /// What it can produce, by name.
  package var streams: [(name: String, stream: OfferedStreamDocument)] {
    self[.streams]?.members.compactMap { name, value in
      value.object.map { (name, OfferedStreamDocument(json: $0)) }
    } ?? []
  }

  /// What it can produce under a name; nil where nothing.
  package func stream(_ name: String) -> OfferedStreamDocument? {
    self[.streams]?[name]?.object.map { OfferedStreamDocument(json: $0) }
  }

  /// How many slots of a kind it has, by the kind's name.
  package var slots: [(kind: String, count: Int)] {
    self[.slots]?.members.compactMap { kind, value in Int(json: value).map { (kind, $0) } } ?? []
  }
}

extension DocumentField where Document == BoardInfoDocument, Value == Int {
  static var version: Self { .init("v") }
}

extension DocumentField where Document == BoardInfoDocument, Value == BoardID {
  package static var board: Self { .init("board") }
}

extension DocumentField where Document == BoardInfoDocument, Value == Timestamp {
  package static var changed: Self { .init("ts_ms") }
  package static var interviewed: Self { .init("interviewed_ms") }
}

extension DocumentField where Document == BoardInfoDocument, Value == String {
  package static var gateway: Self { .init("gw") }
  package static var address: Self { .init("address") }
  package static var family: Self { .init("family") }
  package static var name: Self { .init("name") }
  package static var site: Self { .init("site") }
  package static var profile: Self { .init("profile") }
  package static var model: Self { .init("model") }
  package static var modelNumber: Self { .init("model_id") }
  package static var manufacturer: Self { .init("manufacturer") }
  package static var serial: Self { .init("serial") }
  package static var hardware: Self { .init("hw") }
  package static var firmware: Self { .init("fw") }
  package static var imu: Self { .init("imu") }
}

extension DocumentField where Document == BoardInfoDocument, Value == Bool {
  package static var isHardwareListed: Self { .init("hardware_listed") }
}

extension DocumentField where Document == BoardInfoDocument, Value == [String] {
  package static var groups: Self { .init("groups") }
  package static var verbs: Self { .init("verbs") }
}

extension DocumentField where Document == BoardInfoDocument, Value == JSONObject {
  package static var labels: Self { .init("labels") }
  fileprivate static var modules: Self { .init("modules") }
  fileprivate static var slots: Self { .init("slots") }
  fileprivate static var streams: Self { .init("streams") }
}

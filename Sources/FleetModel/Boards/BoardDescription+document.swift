/// A description as JSON, for what is kept between runs; the published form is the dialects' business.
extension BoardDescription {
  /// Everything, so that `init(document:)` gives the same.
  public var document: JSONObject {
    var slotsDocument = JSONObject()
    for (name, path) in Self.slotNames {
      slotsDocument[name] = slots[keyPath: path].map { .integer(Int64($0)) }
    }
    var all: JSONObject = [
      "model": .string(model), "model_id": .string(modelNumber), "manufacturer": .string(manufacturer),
      "serial": .string(serialNumber), "hw": .string(hardwareRevision), "fw": .string(firmwareRevision),
      "slots": .object(slotsDocument),
      "modules": .object(
        JSONObject(
          modules.sorted { $0.key < $1.key }.map { name, module in
            (name, .string(Hex.string(Self.bytes(module))))
          })),
      "streams": .array(streams.map { .object(Self.document(of: $0)) }),
    ]
    all["imu"] = imu.map { .string($0) }
    return all
  }

  /// Reads what `document` wrote; nil when something is missing.
  public init?(document: JSONObject) {
    guard let model = document["model"]?.string, let modelNumber = document["model_id"]?.string,
      let manufacturer = document["manufacturer"]?.string, let serial = document["serial"]?.string,
      let hardware = document["hw"]?.string, let firmware = document["fw"]?.string,
      let moduleMembers = document["modules"]?.object, let streamList = document["streams"]?.array
    else { return nil }
    var slots = Slots()
    for (name, path) in Self.slotNames {
      slots[keyPath: path] = document["slots"]?.object?[name]?.integer.flatMap { Int(exactly: $0) }
    }
    self.init(
      model: model, modelNumber: modelNumber, manufacturer: manufacturer, serialNumber: serial,
      hardwareRevision: hardware, firmwareRevision: firmware, imu: document["imu"]?.string,
      modules: Dictionary(
        moduleMembers.members.compactMap { name, value in
          value.string.flatMap { Hex.bytes($0) }.flatMap { Self.module($0) }.map { (name, $0) }
        }, uniquingKeysWith: { first, _ in first }),
      slots: slots,
      streams: streamList.compactMap { entry in
        entry.object?["name"]?.string.map {
          Stream(
            name: $0, offers: entry.object?["offers"]?.object ?? JSONObject(),
            isLoggable: entry.object?["loggable"]?.bool ?? true)
        }
      })
  }

  /// That a stream can be logged goes without saying.
  private static func document(of stream: Stream) -> JSONObject {
    var document: JSONObject = ["name": .string(stream.name), "offers": .object(stream.offers)]
    if !stream.isLoggable { document["loggable"] = false }
    return document
  }

  private static let slotNames: [(String, any WritableKeyPath<Slots, Int?> & Sendable)] = [
    ("loggers", \.loggers), ("processors", \.processors), ("events", \.events), ("timers", \.timers),
    ("macros", \.macros), ("log_entries", \.logEntries),
  ]

  /// Number, then for present modules implementation, revision and the rest, as on the wire.
  private static func bytes(_ module: Module) -> [UInt8] {
    guard module.isPresent else { return [module.id] }
    return [module.id, module.implementation ?? 0, module.revision ?? 0] + module.extra
  }

  private static func module(_ bytes: [UInt8]) -> Module? {
    guard let id = bytes.first else { return nil }
    guard bytes.count >= 3 else {
      return Module(id: id, isPresent: false, implementation: nil, revision: nil, extra: [])
    }
    return Module(
      id: id, isPresent: true, implementation: bytes[1], revision: bytes[2], extra: Array(bytes.dropFirst(3)))
  }
}

internal import FleetModel
internal import FoundationEssentials

/// A logger map as it lies in its column: a JSON array with an object for each stream.
enum StoredStream {
  static func encode(_ streams: [LoggedStream]) -> [UInt8] {
    JSONWriter.bytes(of: .array(streams.map { .object(object($0)) }))
  }

  static func decode(_ bytes: [UInt8]) throws(StoreFailure) -> [LoggedStream] {
    let elements = (try? StrictJSON.parse(bytes, limits: .trusting))?.array
    let streams = elements?.compactMap { $0.object.flatMap(stream) }
    guard let streams, streams.count == elements?.count else { throw .corrupt("logger map") }
    return streams
  }

  private static func object(_ stream: LoggedStream) -> JSONObject {
    var object: JSONObject = [
      "name": .string(stream.name),
      "fields": StoredFields.json(stream.fields),
      "slots": .array(stream.slots.map { .integer(Int64($0)) }),
      "layout": .string(Data(stream.layout).base64EncodedString()),
      "configuration": .object(StoredValue.object(.object(stream.configuration))),
      "isOurs": .bool(stream.isOurs),
    ]
    object["period"] = stream.period.map { .integer($0.wholeNanoseconds) }
    return object
  }

  private static func stream(_ object: JSONObject) -> LoggedStream? {
    guard let name = object["name"]?.string, let fields = object["fields"]?.array,
      let slots = object["slots"]?.array, let isOurs = object["isOurs"]?.bool,
      let layout = object["layout"]?.string.flatMap({ Data(base64Encoded: $0) })
    else { return nil }
    return LoggedStream(
      name: name, fields: StoredFields.read(fields, of: name),
      slots: slots.compactMap { $0.integer.map { Int($0) } }, layout: [UInt8](layout),
      configuration: object["configuration"]?.object.flatMap(StoredValue.value)?.object ?? [:],
      period: object["period"]?.integer.map { .nanoseconds($0) }, isOurs: isOurs)
  }
}

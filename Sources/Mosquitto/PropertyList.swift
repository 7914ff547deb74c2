import CMosquitto
import Dialects
import FleetModel
import Glibc

/// A list of MQTT 5 properties in the library's own form, freed with this value.
struct PropertyList: ~Copyable {
  private(set) var head: OpaquePointer?

  init() { head = nil }

  /// What goes with a message.
  init(_ properties: MQTTMessage.Properties) throws(BrokerFailure) {
    head = nil
    if let text = properties.contentType { try add(text, as: MQTT_PROP_CONTENT_TYPE) }
    if properties.isText {
      let indicator = MQTT_PROP_PAYLOAD_FORMAT_INDICATOR
      try check(mosquitto_property_add_byte(&head, indicator.number, 1), indicator)
    }
    if let text = properties.responseTopic { try add(text, as: MQTT_PROP_RESPONSE_TOPIC) }
    if !properties.correlationData.isEmpty {
      guard let length = UInt16(exactly: properties.correlationData.count) else {
        throw .misuse("correlation data of \(properties.correlationData.count) bytes")
      }
      let code = mosquitto_property_add_binary(
        &head, MQTT_PROP_CORRELATION_DATA.number, properties.correlationData, length)
      try check(code, MQTT_PROP_CORRELATION_DATA)
    }
    if let seconds = properties.expiryInterval { try add(seconds, as: MQTT_PROP_MESSAGE_EXPIRY_INTERVAL) }
    for property in properties.user {
      if property.name.hasNUL || property.value.hasNUL {
        throw .misuse("a NUL in a user property")
      }
      let code = mosquitto_property_add_string_pair(
        &head, MQTT_PROP_USER_PROPERTY.number, property.name, property.value)
      try check(code, MQTT_PROP_USER_PROPERTY)
    }
  }

  deinit {
    var list = head
    mosquitto_property_free_all(&list)
  }

  mutating func add(_ value: UInt32, as property: mqtt5_property) throws(BrokerFailure) {
    try check(mosquitto_property_add_int32(&head, property.number, value), property)
  }

  mutating func add(_ value: UInt16, as property: mqtt5_property) throws(BrokerFailure) {
    try check(mosquitto_property_add_int16(&head, property.number, value), property)
  }

  private mutating func add(_ text: String, as property: mqtt5_property) throws(BrokerFailure) {
    if text.hasNUL { throw .misuse("a NUL in a property") }
    try check(mosquitto_property_add_string(&head, property.number, text), property)
  }

  private func check(_ code: Int32, _ property: mqtt5_property) throws(BrokerFailure) {
    if code != 0 {
      throw .misuse("MQTT property \(property.rawValue): \(String(cString: mosquitto_strerror(code)))")
    }
  }

  /// Gives the list to the library, which frees it from now on.
  consuming func release() -> OpaquePointer? {
    let list = head
    discard self
    return list
  }
}

extension MQTTMessage.Properties {
  /// Reads what came with a message; the list stays the library's.
  init(reading list: OpaquePointer?) {
    self.init()
    guard let list else { return }
    contentType = Self.string(MQTT_PROP_CONTENT_TYPE, in: list)
    responseTopic = Self.string(MQTT_PROP_RESPONSE_TOPIC, in: list)
    correlationData = Self.bytes(MQTT_PROP_CORRELATION_DATA, in: list)
    var seconds: UInt32 = 0
    if mosquitto_property_read_int32(list, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.number, &seconds, false) != nil {
      expiryInterval = seconds
    }
    var (name, value): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
    var next = mosquitto_property_read_string_pair(list, MQTT_PROP_USER_PROPERTY.number, &name, &value, false)
    while next != nil {
      user.append(.init(Self.taking(name) ?? "", Self.taking(value) ?? ""))
      (name, value) = (nil, nil)
      next = mosquitto_property_read_string_pair(next, MQTT_PROP_USER_PROPERTY.number, &name, &value, true)
    }
  }

  private static func string(_ property: mqtt5_property, in list: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    _ = mosquitto_property_read_string(list, property.number, &text, false)
    return taking(text)
  }

  private static func bytes(_ property: mqtt5_property, in list: OpaquePointer) -> [UInt8] {
    var (data, length): (UnsafeMutableRawPointer?, UInt16) = (nil, 0)
    _ = mosquitto_property_read_binary(list, property.number, &data, &length, false)
    defer { free(data) }
    return [UInt8](UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(length)))
  }

  /// The library hands out copies.
  private static func taking(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    defer { free(text) }
    return text.map { String(cString: $0) }
  }
}

extension UInt32 {
  /// Reads one number of a CONNACK's list.
  init?(_ property: mqtt5_property, in list: OpaquePointer?) {
    self = 0
    if mosquitto_property_read_int32(list, property.number, &self, false) == nil { return nil }
  }
}

extension UInt16 {
  /// Reads one number of a CONNACK's list.
  init?(_ property: mqtt5_property, in list: OpaquePointer?) {
    self = 0
    if mosquitto_property_read_int16(list, property.number, &self, false) == nil { return nil }
  }
}

extension mqtt5_property {
  var number: Int32 { Int32(rawValue) }
}

/// Values of the configuration file as JSON holds them: text, checked by their type.
extension JSONValue {
  /// Such as `90s`.
  package static func duration(_ duration: Duration) -> JSONValue { .string(DurationText.format(duration)) }

  /// Such as `200MB`.
  static func size(_ bytes: Int64) -> JSONValue { .string(SizeText.format(bytes)) }

  /// The stretch of time, when this is one.
  var duration: Duration? { string.flatMap { DurationText.parse($0) } }

  /// The bytes, when this is a size.
  var size: Int64? { string.flatMap { SizeText.parse($0) } }

  /// The address, when this is one.
  var address: BluetoothAddress? { string.flatMap { BluetoothAddress($0) } }

  /// The word of an enumeration, when this is one.
  func word<Word: RawRepresentable>() -> Word? where Word.RawValue == String {
    string.flatMap { Word(rawValue: $0) }
  }
}

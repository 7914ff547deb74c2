import CDBus

/// Reads the values of a received message, which libdbus has checked against the rules of D-Bus.
enum MessageReader {
  static func values(of message: OpaquePointer) throws(DBusFailure) -> [DBusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    return try sequence(&iterator, depth: 0)
  }

  private static func sequence(_ iterator: inout DBusMessageIter, depth: Int) throws(DBusFailure)
    -> [DBusValue]
  {
    var values: [DBusValue] = []
    while dbus_message_iter_get_arg_type(&iterator) != 0 {
      values.append(try value(&iterator, depth: depth))
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  private static func value(_ iterator: inout DBusMessageIter, depth: Int) throws(DBusFailure) -> DBusValue {
    guard depth < DBusValue.depthLimit else { throw .malformed("containers nested too deeply") }
    let code = dbus_message_iter_get_arg_type(&iterator)
    guard let type = TypeCode(rawValue: code) else { throw .malformed("unknown type \(code)") }
    switch type {
    case .byte: return .byte(fixed(&iterator))
    case .boolean: return .boolean(fixed(&iterator, as: dbus_bool_t.self) != 0)
    case .int16: return .int16(fixed(&iterator))
    case .uint16: return .uint16(fixed(&iterator))
    case .int32: return .int32(fixed(&iterator))
    case .uint32: return .uint32(fixed(&iterator))
    case .int64: return .int64(fixed(&iterator))
    case .uint64: return .uint64(fixed(&iterator))
    case .double: return .double(fixed(&iterator))
    case .string: return .string(string(&iterator))
    case .objectPath: return .objectPath(string(&iterator))
    case .signature: return .signature(string(&iterator))
    case .descriptor:
      // A duplicate, ours to close; -1 when this process has no descriptor left.
      let number = fixed(&iterator, as: Int32.self)
      guard number >= 0 else { throw .malformed("no descriptor left for one that was received") }
      return .descriptor(DBusDescriptor(owning: number))
    case .array: return try array(&iterator, depth: depth)
    case .structure:
      var inner = descend(&iterator)
      return .structure(try sequence(&inner, depth: depth + 1))
    case .variant:
      var inner = descend(&iterator)
      return .variant(try value(&inner, depth: depth + 1))
    case .entry: throw .malformed("a dictionary entry outside a dictionary")
    }
  }

  private static func array(_ iterator: inout DBusMessageIter, depth: Int) throws(DBusFailure) -> DBusValue {
    let element = dbus_message_iter_get_element_type(&iterator)
    var inner = descend(&iterator)
    if element == TypeCode.byte.rawValue {
      var start: UnsafePointer<UInt8>?
      var count: Int32 = 0
      dbus_message_iter_get_fixed_array(&inner, &start, &count)
      return .bytes(Array(UnsafeBufferPointer(start: start, count: Int(count))))
    }
    let signature = elementSignature(&iterator)
    guard element == TypeCode.entry.rawValue else {
      return .array(of: signature, try sequence(&inner, depth: depth + 1))
    }
    var entries: [DBusValue: DBusValue] = [:]
    while dbus_message_iter_get_arg_type(&inner) != 0 {
      var entry = descend(&inner)
      let key = try value(&entry, depth: depth + 2)
      dbus_message_iter_next(&entry)
      entries[key] = try value(&entry, depth: depth + 2)
      dbus_message_iter_next(&inner)
    }
    // "{sv}" without its braces.
    return .dictionary(of: String(signature.dropFirst().dropLast()), entries)
  }

  /// What follows the "a" in the signature of the array at `iterator`.
  private static func elementSignature(_ iterator: inout DBusMessageIter) -> String {
    guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
    defer { dbus_free(text) }
    return String(String(cString: text).dropFirst())
  }

  private static func descend(_ iterator: inout DBusMessageIter) -> DBusMessageIter {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return inner
  }

  private static func fixed<Number: FixedWidthInteger>(
    _ iterator: inout DBusMessageIter, as: Number.Type = Number.self
  ) -> Number {
    var number: Number = 0
    dbus_message_iter_get_basic(&iterator, &number)
    return number
  }

  private static func fixed(_ iterator: inout DBusMessageIter) -> Double {
    Double(bitPattern: fixed(&iterator, as: UInt64.self))
  }

  private static func string(_ iterator: inout DBusMessageIter) -> String {
    var start: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &start)
    return start.map { String(cString: $0) } ?? ""
  }
}

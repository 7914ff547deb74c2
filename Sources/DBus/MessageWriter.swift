import CDBus

/// Appends values that passed `check` to a message. False only when memory is short.
enum MessageWriter {
  static func append(_ values: [DBusValue], to message: OpaquePointer) -> Bool {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    return values.allSatisfy { append($0, &iterator) }
  }

  private static func append(_ value: DBusValue, _ iterator: inout DBusMessageIter) -> Bool {
    switch value {
    case .byte(let number): fixed(.byte, number, &iterator)
    case .boolean(let flag): fixed(.boolean, dbus_bool_t(flag ? 1 : 0), &iterator)
    case .int16(let number): fixed(.int16, number, &iterator)
    case .uint16(let number): fixed(.uint16, number, &iterator)
    case .int32(let number): fixed(.int32, number, &iterator)
    case .uint32(let number): fixed(.uint32, number, &iterator)
    case .int64(let number): fixed(.int64, number, &iterator)
    case .uint64(let number): fixed(.uint64, number, &iterator)
    case .double(let number): fixed(.double, number, &iterator)
    case .string(let text): string(.string, text, &iterator)
    case .objectPath(let text): string(.objectPath, text, &iterator)
    case .signature(let text): string(.signature, text, &iterator)
    // The message gets a duplicate.
    case .descriptor(let descriptor): fixed(.descriptor, descriptor.borrowed ?? -1, &iterator)
    case .bytes(let bytes):
      container(.array, "y", &iterator) { array in
        bytes.withUnsafeBufferPointer { buffer in
          withUnsafePointer(to: buffer.baseAddress) { start in
            buffer.isEmpty
              || dbus_message_iter_append_fixed_array(
                &array, TypeCode.byte.rawValue, start, Int32(buffer.count)) != 0
          }
        }
      }
    case .array(let element, let elements):
      container(.array, element, &iterator) { array in elements.allSatisfy { append($0, &array) } }
    case .dictionary(let entry, let entries):
      container(.array, "{\(entry)}", &iterator) { array in
        entries.allSatisfy { key, value in
          container(.entry, nil, &array) { append(key, &$0) && append(value, &$0) }
        }
      }
    case .structure(let fields):
      container(.structure, nil, &iterator) { inner in fields.allSatisfy { append($0, &inner) } }
    case .variant(let inner):
      container(.variant, inner.signature, &iterator) { append(inner, &$0) }
    }
  }

  private static func fixed<Number: BitwiseCopyable>(
    _ type: TypeCode, _ number: Number, _ iterator: inout DBusMessageIter
  ) -> Bool {
    withUnsafePointer(to: number) { dbus_message_iter_append_basic(&iterator, type.rawValue, $0) != 0 }
  }

  private static func string(_ type: TypeCode, _ text: String, _ iterator: inout DBusMessageIter) -> Bool {
    text.withCString { start in fixed(type, start, &iterator) }
  }

  private static func container(
    _ type: TypeCode, _ signature: String?, _ iterator: inout DBusMessageIter,
    _ fill: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, type.rawValue, signature, &inner) != 0 else {
      return false
    }
    guard fill(&inner) else {
      dbus_message_iter_abandon_container(&iterator, &inner)
      return false
    }
    return dbus_message_iter_close_container(&iterator, &inner) != 0
  }
}

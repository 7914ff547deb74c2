extension DBusValue {
  /// Containers inside one another that we send and read; D-Bus itself ends at 64.
  static let depthLimit = 32

  /// Throws if the value breaks a rule of D-Bus. What passes can be appended to a message.
  func check(depth: Int = 0) throws(DBusFailure) {
    guard depth < Self.depthLimit else { throw .notSendable("containers nested too deeply") }
    switch self {
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .bytes: break
    case .string(let text):
      if !DBusSyntax.isText(text) { throw .notSendable("a string with a NUL in it") }
    case .objectPath(let path):
      if !DBusSyntax.isObjectPath(path) { throw .notSendable("not an object path: \(path.debugDescription)") }
    case .signature(let text):
      if !DBusSyntax.isSignature(text) { throw .notSendable("not a signature: \(text.debugDescription)") }
    case .descriptor(let descriptor):
      if descriptor.borrowed == nil { throw .notSendable("a descriptor that was taken") }
    case .array(let element, let elements):
      if element == "y" { throw .notSendable("an array of bytes that is not spelled bytes") }
      try checkType(element)
      for value in elements {
        try value.check(depth: depth + 1)
        try value.checkIs(element)
      }
    case .dictionary(let entry, let entries):
      try checkType("a{\(entry)}")
      for (key, value) in entries {
        try key.check(depth: depth + 2)
        try value.check(depth: depth + 2)
        if key.signature + value.signature != entry {
          throw .notSendable("a dictionary entry that is not \(entry)")
        }
      }
    case .structure(let fields):
      if fields.isEmpty { throw .notSendable("a structure without fields") }
      for value in fields { try value.check(depth: depth + 1) }
    case .variant(let value):
      try value.check(depth: depth + 1)
      // What it contains is spelled as a signature, which has limits of its own.
      try checkType(value.signature)
    }
  }

  private func checkIs(_ signature: String) throws(DBusFailure) {
    if self.signature != signature { throw .notSendable("an array element that is not \(signature)") }
  }

  private func checkType(_ signature: String) throws(DBusFailure) {
    if !DBusSyntax.isSingleType(signature) { throw .notSendable("not a type: \(signature.debugDescription)") }
  }
}

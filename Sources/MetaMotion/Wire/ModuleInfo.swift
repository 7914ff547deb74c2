import FleetModel

/// Module information: the request and its reply (protocol reference, section 3.2).
enum ModuleInfo {
  /// The register every module answers, whether the board has it or not.
  static func register(of module: Module) -> Register { Register(module, 0) }

  /// Reads a reply; nil when it is none. Two bytes mean that the board lacks the module.
  static func decode(_ reply: [UInt8]) -> BoardDescription.Module? {
    guard reply.count >= 2, reply[1] == 0x80 else { return nil }
    guard reply.count >= 4 else {
      return .init(id: reply[0], isPresent: false, implementation: nil, revision: nil, extra: [])
    }
    return .init(
      id: reply[0], isPresent: true, implementation: reply[2], revision: reply[3], extra: Array(reply[4...]))
  }
}

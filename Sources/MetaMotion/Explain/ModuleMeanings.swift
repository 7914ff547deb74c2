import FleetModel

/// Which registers a module has, as far as they are explained.
enum ModuleMeanings {
  /// Register 0, which every module has (protocol reference, section 3.2).
  static let information = RegisterMeaning.value(0, "module information") { reader in
    guard let info = ModuleInfo.decode(reader.packet) else { return }
    reader.add("present", .bool(info.isPresent))
    guard info.isPresent else { return }
    reader.number("implementation", UInt8.self)
    reader.number("revision", UInt8.self)
    reader.bytes("extra")
  }

  /// The other registers.
  static func registers(of module: Module, _ context: PacketContext) -> [RegisterMeaning] {
    switch module.role {
    case .other(let meanings): meanings
    // What a module says itself of a register comes before what its signal says of it.
    case .sensor(let sensor):
      sensor.meanings(context) + sensor.signals(on: context.chip).flatMap(\.meanings)
    }
  }
}

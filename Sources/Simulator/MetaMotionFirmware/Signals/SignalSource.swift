/// Names a signal as loggers, processors and events name it: three bytes (protocol reference 14.2).
struct SignalSource: Hashable, Sendable {
  /// Stands where a signal has no index.
  static let noIndex: UInt8 = 0xFF

  let module: UInt8
  /// With the read and silent bits of the read that produced the value; plain for a register that fires.
  let register: UInt8
  /// Channel, pin, slot or id.
  let index: UInt8

  init(module: UInt8, register: UInt8, index: UInt8 = Self.noIndex) {
    self.module = module
    self.register = register
    self.index = index
  }

  /// Nil for fewer than three bytes.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(3))
    guard bytes.count == 3 else { return nil }
    self.init(module: bytes[0], register: bytes[1], index: bytes[2])
  }

  var bytes: [UInt8] { [module, register, index] }

  /// The same register whatever the index, as the host subscribes to it.
  var ofAnyIndex: SignalSource { SignalSource(module: module, register: register) }
}

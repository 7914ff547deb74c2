/// Where a signal comes out on the board, as processors, loggers and events name it (protocol reference, section 14.2).
struct SignalAddress: Hashable, Sendable {
  /// How values get there (section 2.2).
  enum Access: UInt8, Sendable {
    /// By themselves.
    case notified = 0x00
    /// By reads whose answer the host gets as well; on current firmware these alone reach processors.
    case read = 0x80
    /// By reads for the board alone; these alone reach loggers.
    case silentRead = 0xC0
  }

  let register: Register
  let access: Access
  /// Channel, pin or slot; nil for a signal that there is once.
  let index: UInt8?

  private static let noIndex: UInt8 = 0xFF

  init(_ register: Register, _ access: Access = .notified, index: UInt8? = nil) {
    self.register = register
    self.access = access
    self.index = index
  }

  /// Reads the three bytes that begin at `offset`; nil when they name no module or no access we know.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard offset >= 0, bytes.count >= offset + 3, let module = Module(rawValue: bytes[offset]),
      let access = Access(rawValue: bytes[offset + 1] & 0xC0)
    else { return nil }
    register = Register(module, bytes[offset + 1])
    self.access = access
    index = bytes[offset + 2] == Self.noIndex ? nil : bytes[offset + 2]
  }

  /// Module, register with its flags, index.
  var bytes: [UInt8] {
    [register.module.rawValue, register.number | access.rawValue, index ?? Self.noIndex]
  }

  /// The same signal by another way.
  func reached(by access: Access) -> SignalAddress { SignalAddress(register, access, index: index) }

  /// Whether the board tells nothing until it is asked.
  var isRead: Bool { access != .notified }

  /// The output of the processor in `slot`.
  static func output(ofProcessor slot: UInt8) -> SignalAddress {
    SignalAddress(Processor.output, index: slot)
  }

  /// What the processor in `slot` keeps, by `access`.
  static func state(ofProcessor slot: UInt8, by access: Access = .silentRead) -> SignalAddress {
    SignalAddress(Processor.state, access, index: slot)
  }
}

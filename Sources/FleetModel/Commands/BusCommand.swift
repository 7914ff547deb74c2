/// Talk with a device on the board's I²C or SPI bus (MQTT contract 3.9).
public enum BusCommand: Hashable, Sendable {
  /// How a device on the SPI bus is reached.
  public struct SPI: Hashable, Sendable {
    /// Clock rates there are, in Hz.
    public static let clocks = [125_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000]

    /// Numbers of the processor's pins.
    public var slaveSelect, clock, output, input: UInt8
    /// 0–3.
    public var mode: UInt8
    /// Place in `clocks`.
    public var clockIndex: UInt8
    /// Whether the lowest bit goes first.
    public var isLeastSignificantFirst: Bool
    /// Whether the processor's own SPI pins are used.
    public var isNative: Bool

    /// Describes the way to a device.
    public init(
      slaveSelect: UInt8, clock: UInt8, output: UInt8, input: UInt8, mode: UInt8, clockIndex: UInt8,
      isLeastSignificantFirst: Bool, isNative: Bool
    ) {
      (self.slaveSelect, self.clock, self.output, self.input) = (slaveSelect, clock, output, input)
      (self.mode, self.clockIndex) = (mode, clockIndex)
      (self.isLeastSignificantFirst, self.isNative) = (isLeastSignificantFirst, isNative)
    }
  }

  /// Reads 1–17 bytes from a register of a device.
  case readI2C(device: UInt8, register: UInt8, length: UInt8)
  /// Writes 1–10 bytes to a register of a device.
  case writeI2C(device: UInt8, register: UInt8, [UInt8])
  /// Sends 0–12 bytes and reads 1–16.
  case readSPI(SPI, length: UInt8, sending: [UInt8])
  /// Sends 1–13 bytes.
  case writeSPI(SPI, [UInt8])
}

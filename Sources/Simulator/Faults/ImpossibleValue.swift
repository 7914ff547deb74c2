/// Values that no sensor can measure, put in the place of those that a board tells. What its loggers write down and
/// what its processors compute with stays as it was measured.
package enum ImpossibleValue: String, Hashable, Sendable, CaseIterable {
  case battery, temperature, pressure, altitude, humidity, quaternion
  case eulerAngles = "euler-angles"
  case linearAcceleration = "linear-acceleration"
  case gravity

  /// More than full.
  package static let overfull: UInt8 = 255

  private static let headerLength = 2
  private static let notANumber: [UInt8] = [0x00, 0x00, 0xC0, 0x7F]

  /// A packet with the impossible in place of its value; nil for a packet of something else.
  func spoiled(_ packet: [UInt8]) -> [UInt8]? {
    guard packet.count > Self.headerLength, carries(packet[0], packet[1] & 0x3F) else { return nil }
    let header = Array(packet.prefix(Self.headerLength))
    let payload = packet.dropFirst(Self.headerLength)
    guard let first = payload.first else { return nil }
    return switch self {
    // The voltage behind it stays.
    case .battery: header + [Self.overfull] + payload.dropFirst()
    // 4095.875 °C behind the channel.
    case .temperature: header + [first, 0xFF, 0x7F]
    case .pressure, .humidity: header + payload.map { _ in 0xFF }
    case .altitude: header + [0xFF, 0xFF, 0xFF, 0x7F]
    case .quaternion: header + payload.map { _ in 0x00 }
    case .eulerAngles, .linearAcceleration, .gravity:
      header + payload.indices.map { Self.notANumber[($0 - payload.startIndex) % Self.notANumber.count] }
    }
  }

  private func carries(_ module: UInt8, _ register: UInt8) -> Bool {
    switch self {
    case .battery: (module, register) == (SettingsModule.id, 0x0C)
    case .temperature: (module, register) == (TemperatureModule.id, 0x01)
    case .pressure: (module, register) == (BarometerModule.id, 0x01)
    case .altitude: (module, register) == (BarometerModule.id, 0x02)
    case .humidity: (module, register) == (HumidityModule.id, 0x01)
    case .quaternion: isFusion(module, register, .quaternion)
    case .eulerAngles: isFusion(module, register, .eulerAngles)
    case .linearAcceleration: isFusion(module, register, .linearAcceleration)
    case .gravity: isFusion(module, register, .gravity)
    }
  }

  private func isFusion(_ module: UInt8, _ register: UInt8, _ output: FusionOutput) -> Bool {
    (module, register) == (SensorFusionModule.id, output.register)
  }
}

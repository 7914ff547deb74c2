/// Makes the board an iBeacon while nobody is connected to it, or ends that (MQTT contract 3.9).
public struct BeaconCommand: Hashable, Sendable {
  /// Whether it shall be one.
  public var isEnabled: Bool
  /// Sixteen bytes in the order in which they are printed; nil leaves what was.
  public var uuid: [UInt8]?
  /// nil leaves what was.
  public var major, minor: UInt16?
  /// What a receiver hears a metre away, in dBm.
  public var receivedPower: Int8
  /// In dBm.
  public var transmittedPower: Int8
  /// From message to message, in milliseconds.
  public var periodMilliseconds: UInt16

  /// Wants the beacon so.
  public init(
    isEnabled: Bool = true, uuid: [UInt8]? = nil, major: UInt16? = nil, minor: UInt16? = nil,
    receivedPower: Int8 = -55, transmittedPower: Int8 = 0, periodMilliseconds: UInt16 = 700
  ) {
    (self.isEnabled, self.uuid, self.major, self.minor) = (isEnabled, uuid, major, minor)
    (self.receivedPower, self.transmittedPower) = (receivedPower, transmittedPower)
    self.periodMilliseconds = periodMilliseconds
  }
}

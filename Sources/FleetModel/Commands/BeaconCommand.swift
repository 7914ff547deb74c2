/// Makes the board an iBeacon while nobody is connected to it, or ends that (MQTT contract 3.9).
public struct BeaconCommand: Hashable, Sendable {
  /// Whether it shall be one; nil leaves what was.
  public var isEnabled: Bool?
  /// Sixteen bytes in the order in which they are printed; nil leaves what was.
  public var uuid: [UInt8]?
  /// nil leaves what was.
  public var major, minor: UInt16?
  /// What a receiver hears a metre away, in dBm; nil leaves what was.
  public var receivedPower: Int8?
  /// In dBm; nil leaves what was.
  public var transmittedPower: Int8?
  /// From message to message, in milliseconds; nil leaves what was.
  public var periodMilliseconds: UInt16?

  /// Wants the beacon so.
  public init(
    isEnabled: Bool? = nil, uuid: [UInt8]? = nil, major: UInt16? = nil, minor: UInt16? = nil,
    receivedPower: Int8? = nil, transmittedPower: Int8? = nil, periodMilliseconds: UInt16? = nil
  ) {
    (self.isEnabled, self.uuid, self.major, self.minor) = (isEnabled, uuid, major, minor)
    (self.receivedPower, self.transmittedPower) = (receivedPower, transmittedPower)
    self.periodMilliseconds = periodMilliseconds
  }
}

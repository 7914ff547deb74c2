import BoardKit

/// By how much the BMI270 thins out what it measures: rates are divided by 2 to the power of the exponents (protocol
/// reference, section 9.6).
struct Downsampling: Hashable, Sendable {
  /// Exponents, 0–7.
  var acceleration, gyroscope: UInt8
  /// Bits 3 and 7: whether filtered data are thinned out.
  var filters: UInt8 = 0

  private static let filterBits: UInt8 = 0x88

  init(acceleration: UInt8, gyroscope: UInt8, isFiltered: Bool = false) {
    (self.acceleration, self.gyroscope) = (acceleration, gyroscope)
    filters = isFiltered ? Self.filterBits : 0
  }

  /// Reads what the register holds.
  init(byte: UInt8) {
    (acceleration, gyroscope, filters) = (byte >> 4 & 7, byte & 7, byte & Self.filterBits)
  }

  /// What the register holds.
  var byte: UInt8 { filters | (acceleration & 7) << 4 | gyroscope & 7 }

  var command: [UInt8] { BMI270Features.downsampling.write(byte) }

  /// How many samples of the accelerometer make one that comes.
  var accelerationFactor: Int { 1 << Int(acceleration & 7) }
  /// The same of the gyroscope.
  var gyroscopeFactor: Int { 1 << Int(gyroscope & 7) }

  /// Nobody asked to change the filters: they stay as the board has them, from the answer to a read.
  mutating func keepFilters(of reply: [UInt8]?) {
    filters = (reply?.number(at: 2, as: UInt8.self) ?? 0) & Self.filterBits
  }
}

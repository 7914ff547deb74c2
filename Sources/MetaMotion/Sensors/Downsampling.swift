/// By how much the BMI270 thins out what it measures: rates are divided by 2 to the power of the exponents (protocol
/// reference, section 9.6).
struct Downsampling: Hashable, Sendable {
  /// Exponents, 0–7.
  var acceleration, gyroscope: UInt8
  /// Whether filtered data are thinned out.
  var isFiltered = true

  var command: [UInt8] {
    let filters: UInt8 = isFiltered ? 0x88 : 0
    return BMI270Features.downsampling.write(filters | (acceleration & 7) << 4 | gyroscope & 7)
  }
}

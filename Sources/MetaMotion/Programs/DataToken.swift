/// Copies bytes of the triggering signal into the command that an event runs (protocol reference, section 15.3).
struct DataToken: Hashable, Sendable {
  /// Bytes to copy, 1–7.
  var length: UInt8
  /// Where they begin in the signal's payload, 0–15.
  var offset: UInt8 = 0
  /// Where they go in the command's parameters.
  var destination: UInt8

  init(length: UInt8, offset: UInt8 = 0, destination: UInt8) {
    (self.length, self.offset, self.destination) = (length, offset, destination)
  }

  /// Reads its two bytes; nil when the first is not marked as one.
  init?(_ first: UInt8, _ destination: UInt8) {
    guard first & 1 == 1 else { return nil }
    self.init(length: first >> 1 & 0b111, offset: first >> 4, destination: destination)
  }

  var bytes: [UInt8] { [1 | (length & 0b111) << 1 | (offset & 0xF) << 4, destination] }
}

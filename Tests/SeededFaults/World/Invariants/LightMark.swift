/// The mark by which a light tells which command it is for: how long it is on, in ms. Read from the bytes that a board
/// gets (protocol reference 6): `02 03`, channel, kind, high, low, rise, high time.
enum LightMark {
  static func shown(by bytes: [UInt8]) -> UInt16? {
    guard bytes.count > 9, bytes[0] == 0x02, bytes[1] == 0x03 else { return nil }
    return UInt16(bytes[8]) | UInt16(bytes[9]) << 8
  }
}

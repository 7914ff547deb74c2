/// Packets that no sensor sent.
enum Noise {
  /// A sample of acceleration that carries its number.
  static func sample(_ number: Int) -> [UInt8] {
    [0x03, 0x04, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8), 0, 0, 0, 0]
  }

  /// Cut off in the header, and behind it.
  static func nonsense(_ number: Int) -> [UInt8] {
    let packets: [[UInt8]] = [[0x77], [0x03], [0x01, 0x01]]
    return packets[number % packets.count]
  }
}

/// A 64-bit hash that is the same in every run and on every machine (FNV-1a): tells a repeated request from a
/// different one under the same identifier, and an unchanged document from a changed one. Not for secrets.
public enum StableHash {
  /// Hashes bytes.
  public static func of(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

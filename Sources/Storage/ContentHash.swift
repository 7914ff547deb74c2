/// FNV-1a, 64 bits: tells contents apart that nobody makes equal on purpose. The same on every run, so that it may
/// be stored.
package enum ContentHash {
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

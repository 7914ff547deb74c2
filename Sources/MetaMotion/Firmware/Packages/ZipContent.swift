private import CZlib

/// The content of one entry of a zip archive, as far as zlib has to do with it.
enum ZipContent {
  /// Inflates `compressed`; nil where it is no raw deflate of exactly `size` bytes.
  static func inflate(_ compressed: [UInt8], to size: Int) -> [UInt8]? {
    var content = [UInt8](repeating: 0, count: size)
    guard size > 0, let given = UInt32(exactly: compressed.count), let room = UInt32(exactly: size),
      czlib_inflate(compressed, given, &content, room) == 1
    else { return nil }
    return content
  }

  /// The checksum that the archive has of it.
  static func checksum(of content: [UInt8]) -> UInt32 {
    czlib_crc32(content, UInt32(truncatingIfNeeded: content.count))
  }
}

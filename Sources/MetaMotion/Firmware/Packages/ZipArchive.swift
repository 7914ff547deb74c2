import BoardKit
import FleetModel

/// A zip archive of few, small files: stored or deflated, on one disk, without encryption, and not in the form for more
/// than 4 GB. Whatever else it says of itself is refused, not guessed; what a file takes is known before it is read.
struct ZipArchive: Sendable {
  /// Bytes of an archive; the vendor's have less than half a megabyte.
  static let largestArchive = 8 << 20
  /// Bytes of a file in it: more than the flash of any board.
  static let largestFile = 2 << 20
  static let mostFiles = 32

  /// A file in it.
  private struct Entry: Hashable, Sendable {
    var method: UInt16
    var checksum: UInt32
    var compressedSize, size: Int
    /// Where its own header begins.
    var offset: Int
  }

  private let bytes: [UInt8]
  private let entries: [String: Entry]

  /// Reads the directory. A failure is a sentence.
  init(_ bytes: [UInt8]) throws(FirmwarePackage.Unusable) {
    if bytes.count > Self.largestArchive {
      throw .init("it has \(bytes.count) bytes, and no package has more than \(Self.largestArchive)")
    }
    self.bytes = bytes
    entries = try Self.directory(of: bytes)
  }

  /// Names of files, in order.
  var names: [String] { entries.keys.sorted() }

  /// What a file contains. A failure is a sentence.
  func content(of name: String) throws(FirmwarePackage.Unusable) -> [UInt8] {
    guard let entry = entries[name] else {
      throw .init("it lacks the file \(PrintableText.quoted(name))")
    }
    let packed = try packed(entry, name)
    let content = entry.method == 0 || entry.size == 0 ? packed : ZipContent.inflate(packed, to: entry.size)
    guard let content, content.count == entry.size, ZipContent.checksum(of: content) == entry.checksum else {
      throw .init("its file \(PrintableText.quoted(name)) is damaged")
    }
    return content
  }

  /// The bytes of an entry as they lie in the archive, behind a header of its own that names it again.
  private func packed(_ entry: Entry, _ name: String) throws(FirmwarePackage.Unusable) -> [UInt8] {
    let header = Reading(bytes, at: entry.offset)
    guard header.mark == 0x0403_4B50, let nameLength = header.half(26), let extraLength = header.half(28),
      header.text(30, nameLength) == name,
      let packed = header.bytes(30 + nameLength + extraLength, entry.compressedSize)
    else { throw .init("its file \(PrintableText.quoted(name)) is not where the directory says") }
    // Nothing of an empty file needs to be inflated.
    return entry.size == 0 ? [] : packed
  }

  private static func directory(
    of bytes: [UInt8]
  ) throws(FirmwarePackage.Unusable) -> [String: Entry] {
    guard let end = endOfDirectory(in: bytes) else { throw .init("it is no zip archive, or not whole") }
    guard let disks = end.long(4), let here = end.half(8), let all = end.half(10), let size = end.long(12),
      let start = end.long(16), disks == 0, here == all, all != 0xFFFF, start != 0xFFFF_FFFF,
      start + size <= end.offset
    else { throw .init("it is a zip archive of several parts, or of a kind for more than 4 GB") }
    guard all <= mostFiles else {
      throw .init("it has \(all) files, and no package has more than \(mostFiles)")
    }
    var entries: [String: Entry] = [:]
    var place = start
    for _ in 0..<all {
      let record = Reading(bytes, at: place)
      guard record.mark == 0x0201_4B50, let nameLength = record.half(28), let extraLength = record.half(30),
        let commentLength = record.half(32), let name = record.text(46, nameLength),
        place + 46 + nameLength + extraLength + commentLength <= start + size
      else { throw .init("its directory is damaged") }
      place += 46 + nameLength + extraLength + commentLength
      let entry = try entry(record, name)
      // A folder has no content.
      if name.hasSuffix("/") { continue }
      guard entries.updateValue(entry, forKey: name) == nil else {
        throw .init("it has two files \(PrintableText.quoted(name))")
      }
    }
    return entries
  }

  private static func entry(
    _ record: Reading, _ name: String
  ) throws(FirmwarePackage.Unusable) -> Entry {
    let quoted = PrintableText.quoted(name)
    guard isInside(name) else { throw .init("its file \(quoted) would lie outside of it") }
    guard let flags = record.half(8), let method = record.half(10), let checksum = record.long(16),
      let compressedSize = record.long(20), let size = record.long(24), let offset = record.long(42)
    else { throw .init("its directory is damaged") }
    guard flags & 0x2041 == 0 else { throw .init("its file \(quoted) is encrypted") }
    guard method == 0 || method == 8 else {
      throw .init("its file \(quoted) is compressed by method \(method); only deflate is read")
    }
    guard size <= largestFile, compressedSize <= largestFile else {
      throw .init(
        "its file \(quoted) has \(max(size, compressedSize)) bytes, and none has more than \(largestFile)")
    }
    guard method != 0 || size == compressedSize else { throw .init("its directory is damaged") }
    return Entry(
      method: UInt16(method), checksum: UInt32(checksum), compressedSize: compressedSize, size: size,
      offset: offset)
  }

  /// Whether a name is one of a file below the archive's own folder.
  private static func isInside(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return !name.contains("\\") && !name.utf8.contains(0) && parts.first?.isEmpty == false
      && !parts.contains("..") && !parts.contains(".") && !name.contains(":")
  }

  /// The record at the end, behind which only its own comment may stand.
  private static func endOfDirectory(in bytes: [UInt8]) -> Reading? {
    let first = max(0, bytes.count - 22 - 0xFFFF)
    return stride(from: bytes.count - 22, through: first, by: -1).lazy.map { Reading(bytes, at: $0) }.first {
      $0.mark == 0x0605_4B50 && $0.half(20) == bytes.count - $0.offset - 22
    }
  }
}

/// Numbers and texts behind a place, which may lie anywhere.
private struct Reading {
  let all: [UInt8]
  let offset: Int

  init(_ all: [UInt8], at offset: Int) { (self.all, self.offset) = (all, offset) }

  /// What a record begins with.
  var mark: Int? { long(0) }

  func half(_ place: Int) -> Int? { all.number(at: offset + place, as: UInt16.self).map(Int.init) }

  func long(_ place: Int) -> Int? { all.number(at: offset + place, as: UInt32.self).map(Int.init) }

  func bytes(_ place: Int, _ count: Int) -> [UInt8]? {
    let start = offset + place
    guard start >= 0, count >= 0, start <= all.count - count else { return nil }
    return Array(all[start..<start + count])
  }

  func text(_ place: Int, _ count: Int) -> String? {
    bytes(place, count).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

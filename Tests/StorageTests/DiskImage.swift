import FleetModel
import Foundation

/// What lies on a disk after its power was cut behind some operations: what was synced, and of the rest whatever chance
/// has let through, whole sectors at a time.
struct DiskImage {
  private struct File {
    var durable: [UInt8]?
    var pending: [FaultyDisk.Operation] = []
  }

  private static let sector = 512
  private var files: [String: File]

  /// `random` decides about what was not synced; nil: the process was killed, and the system has written all of it.
  init(
    _ beginning: [String: [UInt8]], after operations: ArraySlice<FaultyDisk.Operation>,
    random: SeededGenerator?
  ) {
    files = beginning.mapValues { File(durable: $0) }
    for operation in operations {
      switch operation {
      case .write(let name, _, _), .truncate(let name, _), .delete(let name):
        files[name, default: File()].pending.append(operation)
      case .sync(let name):
        for pending in files[name]?.pending ?? [] {
          Self.apply(pending, to: &files[name, default: File()].durable)
        }
        files[name, default: File(durable: [])].pending = []
      case .lost(let name):
        // Killed without a power cut, the system still shows what the disk never got.
        if random != nil { files[name]?.pending = [] }
      }
    }
    guard var random else {
      for (name, file) in files {
        for pending in file.pending { Self.apply(pending, to: &files[name, default: File()].durable) }
      }
      return
    }
    for name in files.keys.sorted() {
      for pending in files[name]?.pending ?? [] {
        for part in Self.parts(pending, &random) {
          Self.apply(part, to: &files[name, default: File()].durable)
        }
      }
    }
  }

  /// What chance lets through of an operation.
  private static func parts(
    _ operation: FaultyDisk.Operation, _ random: inout SeededGenerator
  ) -> [FaultyDisk.Operation] {
    let chance = random.fraction()
    if chance < 0.4 { return [] }
    guard chance > 0.7, case .write(let name, let offset, let bytes) = operation else { return [operation] }
    return stride(from: 0, to: bytes.count, by: sector).compactMap { start in
      guard random.fraction() < 0.5 else { return nil }
      return .write(
        name, offset: offset + start, Array(bytes[start..<min(start + sector, bytes.count)]))
    }
  }

  private static func apply(_ operation: FaultyDisk.Operation, to content: inout [UInt8]?) {
    switch operation {
    case .write(_, let offset, let bytes):
      var new = content ?? []
      if new.count < offset + bytes.count {
        new += Array(repeating: 0, count: offset + bytes.count - new.count)
      }
      new.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      content = new
    case .truncate(_, let size):
      var new = Array((content ?? []).prefix(size))
      new += Array(repeating: 0, count: size - new.count)
      content = new
    case .delete: content = nil
    case .sync, .lost: break
    }
  }

  /// The files in a directory of their own.
  func directory() throws -> StateDirectory {
    let directory = StateDirectory()
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    for (name, file) in files {
      guard let content = file.durable else { continue }
      try Data(content).write(to: URL(filePath: "\(directory.path)/\(name)"))
    }
    return directory
  }
}

import Fleet
import FleetModel
import MetaMotion

/// A directory with a copy of the index and of files of it, in the layout of the vendor's server.
struct FirmwareMirror {
  let directory: String

  /// Bytes of a file of firmware; the largest have half a megabyte.
  static let largestFile = 8 << 20

  /// What came of it.
  struct Outcome: Hashable {
    var added = 0
    var same = 0
    /// What is not as it was, or cannot be had: sentences.
    var problems: [String] = []
  }

  /// Copies files, the index last, so that it never lists what was not tried. A file that is not what it was at first
  /// is refused, and the old one stays, as does what somebody else has put where the mirror has nothing yet (F231).
  func fill(
    _ builds: [FirmwareBuild], index: [UInt8],
    _ fetch: (_ path: String) async throws(FirmwareCheckFailure) -> [UInt8]
  ) async throws(CommandFailure) -> Outcome {
    let noted = try readLock()
    if noted == nil, isTaken(FirmwareIndexFetcher.indexName, by: index) {
      throw CommandFailure(
        .internal,
        "\(path(FirmwareIndexFetcher.indexName)) is there already and no mirror's, for there is no "
          + "\(FirmwareLock.name) beside it; remove it, or give another directory")
    }
    var (lock, outcome) = (noted ?? FirmwareLock(), Outcome())
    for build in builds {
      let content: [UInt8]
      do throws(FirmwareCheckFailure) { content = try await fetch(build.path) } catch {
        outcome.problems.append("\(build.path): \(error)")
        continue
      }
      if content.first == UInt8(ascii: "<") {
        outcome.problems.append("\(build.path): it is a web page and no package")
        continue
      }
      guard lock.judge(build.path, content) != .changed else {
        outcome.problems.append(Self.changed(build.path))
        continue
      }
      if lock.judge(build.path, content) == .new, isTaken(build.path, by: content) {
        outcome.problems.append(
          "\(path(build.path)) is there already, is another file, and stays; remove it, or give another directory"
        )
        continue
      }
      if lock.judge(build.path, content) == .new { outcome.added += 1 } else { outcome.same += 1 }
      lock.trust(build.path, content)
      // The sum first: a file without one would be trusted whatever is in it.
      try WholeFile.write(Array(lock.text.utf8), to: path(FirmwareLock.name))
      try WholeFile.write(content, to: path(build.path))
    }
    if noted == nil { try WholeFile.write(Array(lock.text.utf8), to: path(FirmwareLock.name)) }
    try WholeFile.write(index, to: path(FirmwareIndexFetcher.indexName))
    return outcome
  }

  /// Whether the index can be read, and every file is what it was at first.
  func verify() throws(CommandFailure) -> Outcome {
    let (lock, index) = (
      try readLock() ?? FirmwareLock(),
      try read(FirmwareIndexFetcher.indexName, FirmwareCatalogue.largestIndex)
    )
    var outcome = Outcome()
    do throws(FirmwareCatalogue.Unreadable) { _ = try FirmwareCatalogue(index) } catch {
      outcome.problems.append("\(FirmwareIndexFetcher.indexName): \(error); \(Self.remedy)")
    }
    for file in lock.sums.keys.sorted() {
      do throws(CommandFailure) {
        let isSame = lock.judge(file, try read(file, Self.largestFile)) == .same
        if isSame { outcome.same += 1 } else { outcome.problems.append(Self.changed(file)) }
      } catch {
        outcome.problems.append("\(error.message); \(Self.remedy)")
      }
    }
    return outcome
  }

  /// What a mirror lacks is taken from where it is from.
  private static let remedy = "fill the mirror anew by metafleet firmware mirror"

  private static func changed(_ path: String) -> String {
    "\(path) is not what it was when it was first seen, and is refused; if that is meant, "
      + "remove its line from \(FirmwareLock.name)"
  }

  /// Whether something else lies there.
  private func isTaken(_ file: String, by content: [UInt8]) -> Bool {
    do throws(FileContent.Failure) {
      return try FileContent.read(path(file), atMost: Self.largestFile) != content
    } catch {
      return !error.isMissing
    }
  }

  /// nil where there is none: the directory is no mirror yet.
  private func readLock() throws(CommandFailure) -> FirmwareLock? {
    let name = path(FirmwareLock.name)
    let bytes: [UInt8]
    do throws(FileContent.Failure) {
      bytes = try FileContent.read(name, atMost: FirmwareCatalogue.largestIndex)
    } catch {
      if error.isMissing { return nil }
      throw CommandFailure(.internal, error.text(name))
    }
    return try FirmwareLock(String(decoding: bytes, as: UTF8.self))
  }

  private func read(_ file: String, _ limit: Int) throws(CommandFailure) -> [UInt8] {
    do throws(FileContent.Failure) { return try FileContent.read(path(file), atMost: limit) } catch {
      throw CommandFailure(.internal, error.text(path(file)))
    }
  }

  private func path(_ file: String) -> String { "\(directory)/\(file)" }
}

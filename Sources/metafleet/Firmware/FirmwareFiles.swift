import Fleet
import FleetModel
import MetaMotion

/// The packages that a gateway has, in its directory of firmware, in the layout of the vendor's server.
struct FirmwareFiles {
  let directory: String
  /// The directory that the index is read from, where it is one: the sums of its mirror count, too.
  var mirror: String?
  /// Whether only what a lock file lists may be used.
  var isListedOnly = false

  /// A package, from the directory where it is what it was at first, and else by `fetch`. What is seen for the first
  /// time is noted where it is a package; what has changed since is refused (fault F195).
  func package(
    _ path: String, _ fetch: (_ path: String) async throws(FirmwareCheckFailure) -> [UInt8]
  ) async throws(CommandFailure) -> FirmwarePackage {
    if let kept = try? FileContent.read("\(directory)/\(path)", atMost: FirmwareMirror.largestFile),
      try lock(directory).judge(path, kept) == .same, try verdict(path, kept) == .same
    {
      return try Self.read(kept, path)
    }
    let content: [UInt8]
    do throws(FirmwareCheckFailure) { content = try await fetch(path) } catch {
      throw CommandFailure(.internal, error.description)
    }
    switch try verdict(path, content) {
    case .same: break
    case .changed:
      throw .invalid(
        "\(path) is not what it was when it was first seen, and is refused; if that is meant, remove its line from "
          + FirmwareLock.name)
    case .new where isListedOnly:
      throw .invalid(
        "\(path) is not listed in \(FirmwareLock.name), and firmware.trust is lock: only what is listed is installed"
      )
    case .new: break
    }
    // A page that came in its place would be taken for the true file from now on.
    let package = try Self.read(content, path)
    try keep(content, path)
    return package
  }

  /// Reads a package; a failure names it.
  static func read(_ content: [UInt8], _ path: String) throws(CommandFailure) -> FirmwarePackage {
    do throws(FirmwarePackage.Unusable) { return try FirmwarePackage(content) } catch {
      throw .invalid("\(path) cannot be installed: \(error)")
    }
  }

  /// The sum first: a file without one would be trusted whatever is in it.
  private func keep(_ content: [UInt8], _ path: String) throws(CommandFailure) {
    var lock = try lock(directory)
    lock.trust(path, content)
    try WholeFile.write(Array(lock.text.utf8), to: "\(directory)/\(FirmwareLock.name)")
    try WholeFile.write(content, to: "\(directory)/\(path)")
  }

  /// By the lock files that there are: whoever knows another content wins.
  private func verdict(_ path: String, _ content: [UInt8]) throws(CommandFailure) -> FirmwareLock.Verdict {
    var verdicts = [try lock(directory).judge(path, content)]
    if let mirror { verdicts.append(try lock(mirror).judge(path, content)) }
    return verdicts.contains(.changed) ? .changed : verdicts.contains(.same) ? .same : .new
  }

  private func lock(_ directory: String) throws(CommandFailure) -> FirmwareLock {
    let name = "\(directory)/\(FirmwareLock.name)"
    let bytes: [UInt8]
    do throws(FileContent.Failure) {
      bytes = try FileContent.read(name, atMost: FirmwareMirror.largestFile)
    } catch {
      if error.isMissing { return FirmwareLock() }
      throw CommandFailure(.internal, error.text(name))
    }
    return try FirmwareLock(String(decoding: bytes, as: UTF8.self))
  }
}

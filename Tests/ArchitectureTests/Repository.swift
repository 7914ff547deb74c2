import Foundation

/// The repository these tests belong to, as text.
enum Repository {
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Swift files of `Sources`.
  static let sources = swiftFiles(in: "Sources")
  /// Swift files of `Tests`, without the benchmarks: measuring takes time to pass.
  static let tests = swiftFiles(in: "Tests").filter {
    !$0.path.hasPrefix("Tests/Benchmarks/") && !$0.path.hasPrefix("Tests/Fuzz/")
      && !$0.path.hasPrefix("Tests/VirtualDays/") && !$0.path.hasPrefix("Tests/SeededFaults/")
  }

  /// Text of one file; empty when there is none.
  static func text(_ path: String) -> String {
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path(percentEncoded: false))
  }

  /// Paths of all documents, sorted.
  static let documents =
    (["README.md"] + [".github", "Sources", "Tests", "dashboards", "deploy"].flatMap(files)).filter {
      $0.hasSuffix(".md")
    }.sorted()

  /// Names of everything at the top.
  static var topLevel: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: root.path(percentEncoded: false))) ?? []
  }

  /// Paths of all files below `directory`, relative to the root, sorted.
  static func files(in directory: String) -> [String] {
    let start = root.appending(path: directory).path(percentEncoded: false)
    guard let walk = FileManager.default.enumerator(atPath: start) else { return [] }
    return walk.compactMap { $0 as? String }.map { "\(directory)/\($0)" }.filter { !isDirectory($0) }.sorted()
  }

  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    let place = root.appending(path: path).path(percentEncoded: false)
    return FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  private static func swiftFiles(in directory: String) -> [SourceFile] {
    files(in: directory).filter { $0.hasSuffix(".swift") }.map { SourceFile(path: $0, text: text($0)) }
  }
}

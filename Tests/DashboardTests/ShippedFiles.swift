import Foundation

/// What lies in `dashboards`.
enum ShippedFiles {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "dashboards")

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// Paths of everything.
  static let all: [String] = {
    let names = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))?.compactMap {
      $0 as? String
    }
    return (names ?? []).filter { name in
      var isFolder: ObjCBool = false
      let place = folder.appending(path: name).path(percentEncoded: false)
      return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) && !isFolder.boolValue
    }.sorted()
  }()

  /// Paths of all files with that ending below `path`.
  static func files(in path: String, endingIn ending: String) -> [String] {
    let start = folder.appending(path: path).path(percentEncoded: false)
    let names = FileManager.default.enumerator(atPath: start)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(ending) }.map { "\(path)/\($0)" }.sorted()
  }
}

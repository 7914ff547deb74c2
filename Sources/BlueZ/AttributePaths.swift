import BoardKit

/// Where the objects of a device's characteristics lie. Pure.
struct AttributePaths: Hashable, Sendable {
  private let paths: [Characteristic: String]
  private let names: [String: Characteristic]

  init(_ paths: [Characteristic: String]) {
    self.paths = paths
    names = Dictionary(paths.map { ($1, $0) }) { first, _ in first }
  }

  subscript(characteristic: Characteristic) -> String? { paths[characteristic] }

  /// Whose object lies at `path`.
  func characteristic(at path: String) -> Characteristic? { names[path] }
}

/// Files that decide and share a test file: the file's name and that of the test file.
enum TestGroups {
  static let byFile: [String: String] = [:]
}

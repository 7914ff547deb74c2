import Testing

@testable import metafleet

@Suite struct VersionTests {
  @Test(arguments: [
    ("", "1.0.0"), ("d76d57b0123456789012345678901234567890ab", "1.0.0 (d76d57b01234)"),
    ("d76d57b0123456789012345678901234567890ab+", "1.0.0 (d76d57b01234+)"),
  ])
  func `the version names the commit, where that is known`(commit: String, wanted: String) {
    #expect(Version.full(of: commit) == wanted)
  }
}

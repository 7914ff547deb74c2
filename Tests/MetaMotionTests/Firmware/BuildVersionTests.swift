import Testing

@testable import MetaMotion

@Suite struct BuildVersionTests {
  @Test(arguments: [
    ("1.9.0", "1.10.0"), ("9.0.0", "10.0.0"), ("1.5", "1.5.1"), ("2.0.0-beta", "2.0.0"),
    ("1.9", "2.0.0-beta"),
  ])
  func `numbers are compared as numbers, and a preview comes before its release`(
    lower: String, higher: String
  ) throws {
    let (lower, higher) = (try #require(BuildVersion(lower)), try #require(BuildVersion(higher)))
    #expect(lower < higher)
    #expect(!(higher < lower))
    #expect(lower != higher)
  }

  @Test func `zeros at the end say nothing, and the text stays as it was written`() throws {
    let (short, long) = (try #require(BuildVersion("1.5")), try #require(BuildVersion("1.5.0")))
    #expect(short == long)
    #expect(Set([short, long]).count == 1)
    #expect(long.text == "1.5.0")
  }

  @Test func `only what has nothing behind its numbers is a release`() {
    #expect(BuildVersion("1.7.3")?.isRelease == true)
    #expect(BuildVersion("2.0.0-beta")?.isRelease == false)
  }

  @Test(arguments: [
    "", "latest", "v1.2", "1..2", "1.2.", ".5", "1.2/../..", "1.2 3", "99999999999999999999.0",
    String(repeating: "1.", count: 20) + "1",
  ])
  func `what cannot be compared is no version`(text: String) {
    #expect(BuildVersion(text) == nil)
  }
}

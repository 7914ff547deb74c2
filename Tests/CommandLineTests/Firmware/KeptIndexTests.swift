import FleetModel
import Testing

@testable import metafleet

@Suite struct KeptIndexTests {
  private static let kept = KeptIndex(
    Array("{\"a\":\n1}".utf8),
    from: .init(source: "/srv/my mirror", fetched: Timestamp(milliseconds: 1_763_671_234_567)))

  @Test func `what is kept comes back`() {
    #expect(KeptIndex(file: Self.kept.file) == Self.kept)
  }

  @Test func `F195 a file that was cut off is none`() {
    #expect(KeptIndex(file: Self.kept.file + [0]) == nil)
    for count in 0..<Self.kept.file.count {
      #expect(KeptIndex(file: Array(Self.kept.file.prefix(count))) == nil)
    }
  }

  @Test(arguments: ["", "\n", "{}\n", "other 1 0 x\n", "metafleet-firmware-index x 0 y\n"])
  func `something else is none`(text: String) {
    #expect(KeptIndex(file: Array(text.utf8)) == nil)
  }
}

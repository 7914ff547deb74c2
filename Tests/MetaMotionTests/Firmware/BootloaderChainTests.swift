import Testing

@testable import MetaMotion

@Suite struct BootloaderChainTests {
  private static func chain(_ installed: String, _ required: String, in text: String = SampleCatalogue.text)
    throws -> [String]
  {
    let (from, to) = (try #require(BuildVersion(installed)), try #require(BuildVersion(required)))
    return try BootloaderChain.from(
      from, to: to, for: SampleCatalogue.board, in: SampleCatalogue.catalogue(text)
    )
    .map(\.version.text)
  }

  private static func index(_ bootloaders: String) -> String {
    #"{"0.4": {"5": {"bootloader": {\#(bootloaders)}}}}"#
  }

  @Test func `one bootloader needs the other, the oldest first`() throws {
    #expect(try Self.chain("0.2.1", "0.3.3") == ["0.2.2", "0.3.1", "0.3.2", "0.3.3"])
    #expect(try Self.chain("0.3.1", "0.3.3") == ["0.3.2", "0.3.3"])
  }

  @Test func `what is new enough needs none`() throws {
    #expect(try Self.chain("0.3.3", "0.3.3") == [])
    #expect(try Self.chain("0.4", "0.3.3") == [])
  }

  @Test func `a requirement of itself is none`() throws {
    #expect(try Self.chain("0.3.3", "0.4") == ["0.4"])
  }

  @Test func `what is not listed itself is reached by the next newer one`() throws {
    #expect(try Self.chain("0.3.2", "0.3.2.5") == ["0.3.3"])
  }

  @Test func `F192 a gap is told with how far it goes`() throws {
    let text = Self.index(
      #""0.2": {"filename": "a", "required-bootloader": "0.1"}, "0.4": {"filename": "a", "required-bootloader": "0.3"}"#
    )
    let broken = BootloaderChain.Broken(
      reached: try #require(BuildVersion("0.2")), required: try #require(BuildVersion("0.4")))
    #expect(throws: broken) { try Self.chain("0.1", "0.4", in: text) }
    #expect(broken.description == "bootloader 0.4 is needed, and the index lists no way to it from 0.2 on")
  }

  @Test func `F192 a circle ends`() {
    let text = Self.index(
      #""0.2": {"filename": "a", "required-bootloader": "0.3"}, "0.3": {"filename": "a", "required-bootloader": "0.2"}"#
    )
    #expect(throws: BootloaderChain.Broken.self) { try Self.chain("0.1", "0.3", in: text) }
  }

  @Test func `F192 what is odd about requirements is told`() throws {
    let odd = try SampleCatalogue.catalogue()
    #expect(
      BootloaderChain.problems(in: odd) == [
        "0.4/5/bootloader/0.4/bl.zip requires itself, which is taken as no requirement"
      ])
    let text = #"""
      {"0.4": {"5": {"vanilla": {"1.0": {"filename": "a", "required-bootloader": "0.9"}},
        "bootloader": {"0.2": {"filename": "b", "required-bootloader": "0.3"}}}}}
      """#
    #expect(
      BootloaderChain.problems(in: try SampleCatalogue.catalogue(text)) == [
        "0.4/5/bootloader/0.2/b requires 0.3, which is newer than itself: it cannot be installed",
        "0.4/5/vanilla/1.0/a requires bootloader 0.9, and the newest listed is 0.2",
      ])
  }
}

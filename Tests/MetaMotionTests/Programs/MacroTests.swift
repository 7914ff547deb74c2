import Testing

@testable import MetaMotion

struct MacroTests {
  private static let pattern = bytes("0203020210100000f4010000e803000005")

  @Test func `contents are added and ended`() {
    let macro = Macro(isRunAtBoot: true, commands: [Self.pattern, bytes("020101")])
    #expect(macro.begin == bytes("0f0201"))
    #expect(macro.contents == [bytes("0f03") + Self.pattern, bytes("0f03020101"), bytes("0f04")])
  }

  @Test(arguments: 17...20)
  func `nothing of a long command is lost (trap T15)`(length: Int) {
    let command = (0..<length).map { UInt8($0) }
    let added = Macro.add(command)
    #expect(added.count == (length < 18 ? 1 : 2))
    #expect(added.flatMap { $0.dropFirst(2) } == command)
    #expect(added.allSatisfy { $0.count <= 20 })
  }

  @Test(
    arguments: [
      ("0f82020103", Macro.Header(isRunAtBoot: true, length: 3)), ("0f82020000", nil), ("0f8202", nil),
      ("0f82ff0103", nil), ("0f8202ffff", nil),
    ] as [(String, Macro.Header?)])
  func `headers`(hex: String, header: Macro.Header?) { #expect(Macro.header(bytes(hex), of: 2) == header) }

  @Test func `stored commands read back`() {
    #expect(Macro.command(bytes("0f83020101")) == bytes("020101"))
    #expect(Macro.command(bytes("0f83")) == nil)
  }
}

import BoardKit
import Testing

@testable import MetaMotion

struct RegisterTests {
  private let register = Register(.settings, 0x0C)

  @Test func `packets begin with module and register`() {
    #expect(register.write(1, 2) == bytes("11 0c 01 02"))
    #expect(register.write(set: 1, clear: 2) == bytes("11 0c 01 02"))
    #expect(register.read(3) == bytes("11 8c 03"))
    #expect(register.silentRead() == bytes("11 cc"))
    #expect(register.subscribe == bytes("11 0c 01"))
    #expect(register.unsubscribe == bytes("11 0c 00"))
    #expect(register.notificationHeader == 0x0C11)
  }

  @Test func `a register has six bits`() { #expect(Register(.led, 0xFF).write() == bytes("02 3f")) }

  @Test func `answers repeat the question`() {
    #expect(register.answer(to: [3]).prefixes == [bytes("11 8c 03")])
    #expect(register.answer().question == "settings register 0c")
  }
}

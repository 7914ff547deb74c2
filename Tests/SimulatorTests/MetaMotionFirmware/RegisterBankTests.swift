import Testing

@testable import Simulator

struct RegisterBankTests {
  @Test func `Settings keep their length, masks set and clear`() {
    var bank = RegisterBank(settings: [3: [1, 2]], masks: [6])
    #expect(bank.read(3) == [1, 2] && bank.read(6) == [0] && bank.read(4) == nil)
    #expect(!bank.write(3, [9]) && !bank.write(6, [1]) && !bank.write(4, [1]))
    #expect(bank.write(3, [8, 9]) && bank.write(6, [0x07, 0x00]) && bank.write(6, [0x10, 0x02]))
    #expect(bank.read(3) == [8, 9] && bank.read(6) == [0x15] && bank.mask(6) == 0x15)
  }
}

import Testing

@testable import Simulator

struct AdvertisingStructureTests {
  @Test func `Structures are read until the bytes end or make no sense`() {
    let bytes = [UInt8](hex: "09 09 4D 65 74 61 57 65 61 72 09 FF 6D 62 A4 A6 CE A4 AA ED")
    let structures = AdvertisingStructure.all(in: bytes)
    #expect(structures.map(\.type) == [0x09, 0xFF])
    #expect(structures.first?.data == Array("MetaWear".utf8))
    #expect(AdvertisingStructure.all(in: Array(bytes.dropLast())).count == 1)
    #expect(AdvertisingStructure.all(in: [0, 1, 2]).isEmpty)
    #expect(AdvertisingStructure.all(in: [1]).isEmpty)
  }
}

import FleetModel
import Testing

@testable import MetaMotion

/// Which ids reads of the buses have that boards do by themselves.
@Suite struct BusIDsTests {
  private func ids(_ names: [String], _ consumer: BusIDs.Consumer) throws -> [UInt8?] {
    let ids = try BusIDs(names, for: consumer)
    return names.map { ids[$0] }
  }

  @Test func `they come from the names, on every run and with others beside`() throws {
    #expect(try ids(["i2c-tank", "i2c-who", "acceleration"], .loggers) == [0x09, 0x0F, nil])
    #expect(try ids(["i2c-who"], .loggers) == [0x0F])
    #expect(try ids(["spi-who", "i2c-who"], .loggers) == [0x07, 0x0F])
  }

  @Test
  func `F300 loggers and processors have different ones: older firmware hands every read to both`() throws {
    let names = (0..<100).map { "i2c-a\($0)" }
    let loggers = try ids(names, .loggers).compactMap(\.self)
    let processors = try ids(names, .processors).compactMap(\.self)
    #expect(Set(loggers).count == 100 && Set(processors).count == 100)
    #expect(Set(loggers).isDisjoint(with: processors))
    #expect(!(loggers + processors).contains(SerialBus.directI2C))
  }

  @Test func `F300 two names that want the same have two`() throws {
    #expect(try ids(["spi-level"], .loggers) == [5])
    #expect(try ids(["spi-flow"], .loggers) == [5])
    #expect(try ids(["spi-level", "spi-flow"], .loggers) == [6, 5])
  }

  @Test(arguments: [(BusIDs.Consumer.loggers, 8), (.processors, 7)])
  func `SPI has few`(consumer: BusIDs.Consumer, count: Int) throws {
    let names = (0..<count).map { "spi-a\($0)" }
    let given = Set(try ids(names, consumer).compactMap(\.self))
    #expect(given.count == count && !given.contains(SerialBus.directSPI))
    let failure = #expect(throws: CommandFailure.self) { try ids(names + ["spi-b"], consumer) }
    #expect(failure?.code == .noSlots)
  }
}

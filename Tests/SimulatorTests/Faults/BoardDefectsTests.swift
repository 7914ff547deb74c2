import BoardKit
import Testing

@testable import Simulator

/// What is wrong inside a board, as a host sees it.
struct BoardDefectsTests {
  private static let configuration = RegisterPlace(module: 3, register: 3)

  private var board: MetaMotionBoard

  init() {
    board = MetaMotionBoard(Firmware(model: .rl, identity: BoardIdentity(number: 1), seed: 1))
    _ = board.connected(at: .zero)
  }

  private mutating func write(_ packets: String..., at now: Duration = .zero) throws -> [String] {
    try packets.flatMap { packet in
      Self.packets(
        try board.write([UInt8](hex: packet), to: MetaMotionAttributes.command, as: .command, at: now))
    }
  }

  private static func packets(_ effects: [BoardEffect]) -> [String] {
    effects.compactMap { effect in
      if case .notify(MetaMotionAttributes.notification, let value) = effect { value.hex } else { nil }
    }
  }

  private mutating func apply(_ defect: BoardDefect, at now: Duration = .zero) {
    #expect(board.apply(.defect(defect), at: now).isEmpty)
  }

  @Test mutating func `A write is lost as often as asked, of this register alone`() throws {
    let before = try write("0383")
    apply(.lostWrites(Self.configuration, 2))
    #expect(try write("0303270c", "0383", "0303270c", "0383") == before + before)
    #expect(try write("030101", "0381") == [[UInt8]([3, 0x81, 1]).hex])
    #expect(try write("0303270c", "0383") == [[UInt8]([3, 0x83, 0x27, 0x0C]).hex])
  }

  @Test mutating func `A register that cannot be read is written all the same`() throws {
    apply(.unreadable(Self.configuration, 1))
    #expect(try write("0303270c", "0383") == [])
    #expect(try write("0383") == [[UInt8]([3, 0x83, 0x27, 0x0C]).hex])
  }

  @Test
  mutating func `An answer is cut off behind its first byte, and one of a single byte behind its header`()
    throws
  {
    apply(.truncated(RegisterPlace(module: 4, register: 1), 1))
    apply(.truncated(RegisterPlace(module: 3, register: 1), 1))
    #expect(try write("048100", "0381") == [[UInt8]([4, 0x81, 0]).hex, [UInt8]([3, 0x81]).hex])
    #expect(try write("048100").first?.count == [UInt8]([4, 0x81, 0, 0, 0]).hex.count)
  }

  @Test mutating func `A quaternion and a battery that cannot be are told so often`() throws {
    apply(.impossible(.battery, 2))
    #expect(try board.read(MetaMotionAttributes.batteryLevel, at: .zero) == [255])
    #expect(try write("118c").first?.hasPrefix([UInt8]([0x11, 0x8C, 255]).hex) == true)
    #expect(try board.read(MetaMotionAttributes.batteryLevel, at: .zero).first ?? 255 <= 100)
  }

  @Test
  mutating func
    `Five notifications a second that nobody knows come until that is healed, and only to a host`() throws
  {
    apply(.unknownNotifications(5), at: .zero)
    let due = try #require(board.nextEvent)
    #expect(due == .milliseconds(200))
    #expect(Self.packets(board.advance(to: .seconds(2))).count == 10)
    _ = board.disconnected(at: .seconds(2))
    #expect(Self.packets(board.advance(to: .seconds(3))).isEmpty)
    _ = board.connected(at: .seconds(3))
    #expect(Self.packets(board.advance(to: .seconds(4))).count == 5)
    _ = board.apply(.healed(.unknownNotifications), at: .seconds(4))
    #expect(Self.packets(board.advance(to: .seconds(9))).isEmpty)
  }

  @Test mutating func `Packets of a read-out are lost, and the notice of their page comes`() throws {
    _ = try write("0b020304ff60", "030201 00", "030101", "0b0101")
    _ = board.advance(to: .seconds(2))
    apply(.lostEntries(3))
    _ = try write("0b0100", "0b1001", "0b0701", "0b0d01", at: .seconds(2))
    _ = try write("0b066400000000000000", at: .seconds(2))
    let told = Self.packets(board.advance(to: .seconds(4)))
    let entries = told.count { $0.hasPrefix([UInt8]([0x0B, 0x07]).hex) }
    #expect(entries == 47)
    #expect(told.contains([UInt8]([0x0B, 0x0D]).hex))
  }

  /// The packets of entries of a read-out that was ordered.
  private mutating func readOut(_ defects: BoardDefect...) throws -> [String] {
    _ = try write("0b020304ff60", "030201 00", "030101", "0b0101")
    _ = board.advance(to: .seconds(2))
    for defect in defects { apply(defect) }
    _ = try write("0b0100", "0b1001", "0b0701", "0b0d01", "0b066400000000000000", at: .seconds(2))
    return Self.packets(board.advance(to: .seconds(4))).filter { $0.hasPrefix([UInt8]([0x0B, 0x07]).hex) }
  }

  @Test mutating func `Packets of a read-out come twice`() throws {
    let told = try readOut(.doubledEntries(3))
    #expect(told.count == 53 && Set(told).count == 50)
    #expect(told[0] == told[1] && told[2] == told[3] && told[6] != told[7])
  }

  @Test mutating func `Entries of a read-out have a wrong time, and only those`() throws {
    var other = self
    let (right, wrong) = (try readOut(), try other.readOut(.damagedTicks(2)))
    #expect(zip(right, wrong).map { $0 == $1 }.prefix(4) == [false, false, true, true])
    #expect(right.count == wrong.count && right.dropFirst(2) == wrong.dropFirst(2))
    #expect(right.map { $0.suffix(8) } == wrong.map { $0.suffix(8) })
  }

  @Test mutating func `Packets of samples are lost and come twice one by one`() throws {
    _ = try write("030401", "03020100", "030101")
    apply(.lostSamples(5))
    apply(.doubledSamples(4))
    let told = Self.packets(board.advance(to: .seconds(1))).filter { $0.hasPrefix([UInt8]([3, 4]).hex) }
    let spoiled = told.count
    _ = board.apply(.healed(nil), at: .seconds(1))
    let whole = Self.packets(board.advance(to: .seconds(2))).filter { $0.hasPrefix([UInt8]([3, 4]).hex) }
      .count
    #expect(spoiled == whole - 1)
    #expect(zip(told, told.dropFirst()).count { $0 == $1 } >= 4)
  }

  @Test mutating func `All is healed at once, and one kind of it alone`() throws {
    let before = try write("0383")
    apply(.lostWrites(Self.configuration, 9))
    apply(.unreadable(Self.configuration, 9))
    _ = board.apply(.healed(.unreadable), at: .zero)
    #expect(try write("0303270c", "0383") == before)
    _ = board.apply(.healed(nil), at: .zero)
    #expect(try write("0303270c", "0383") != before)
  }

  @Test(arguments: [true, false])
  mutating func `Another host leaves a recording that goes on`(whileConnected: Bool) throws {
    if !whileConnected { _ = board.disconnected(at: .zero) }
    #expect(Self.packets(board.apply(.foreignHost, at: .zero)).isEmpty)
    _ = board.advance(to: .seconds(5))
    if !whileConnected { _ = board.connected(at: .seconds(5)) }
    func answer(_ bytes: [UInt8]) -> String { bytes.hex }
    let read = try write("0b81", "0381", "1381", at: .seconds(5))
    #expect(read.contains(answer([0x0B, 0x81, 1])) && read.contains(answer([3, 0x81, 1])))
    #expect(read.contains(answer([0x13, 0x81, 1])))
    let slots = try write("0b8200", "0b8201", "098200", "0c8200", at: .seconds(5))
    #expect(slots.contains(answer([0x0B, 0x82, 3, 4, 0xFF, 0x60])))
    #expect(slots.contains(answer([0x0B, 0x82, 3, 4, 0xFF, 0x24])))
    #expect(slots.contains { $0.hasPrefix(answer([9, 0x82, 3, 4, 0xFF])) })
    let length = try write("0b85", at: .seconds(5)).first
    #expect(length != answer([0x0B, 0x85, 0, 0, 0, 0]))
  }
}

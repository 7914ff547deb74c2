import BoardKit
import FleetModel
import MetaMotion
import Simulator
import Testing

@testable import SeededFaults

/// How fast an image crosses a link: the gateway's transfer against a simulated bootloader, event by event, in time
/// that only the two of them make pass.
@Suite struct TransferRateTests {
  /// A transfer, from its first packet to the word that all of it came.
  private struct Course: Hashable {
    var time: Duration
    /// Packets that no receipt had told of yet.
    var mostOnTheWay: Int
    var receipts: Int
  }

  /// A board in its bootloader, whose link has connection events at such an interval, six packets in each.
  private struct Bench {
    static let packetsPerEvent = 6
    private var board: MetaMotionBoard
    private(set) var now = Duration.zero
    /// What the control point said and nobody heard yet.
    private var notices: [[UInt8]] = []
    private var isLinked = false

    init(interval: Duration) throws {
      var traits = BootloaderTraits()
      (traits.link.interval, traits.link.packetsPerEvent) = (interval, Self.packetsPerEvent)
      board = MetaMotionBoard(
        Firmware(model: .s, identity: BoardIdentity(number: 1), seed: 1), bootloader: traits)
      take(board.connected(at: now))
      take(try board.write([0xFE, 0x02], to: MetaMotionAttributes.command, as: .command, at: now))
      while board.advertisement?.service != MetaMotionAttributes.bootloader { step() }
      isLinked = true
      take(board.connected(at: now))
      take(board.subscribed(true, to: MetaMotionAttributes.bootloaderControl, at: now))
    }

    mutating func write(_ bytes: [UInt8], to characteristic: Characteristic, as kind: WriteKind) throws {
      take(try board.write(bytes, to: characteristic, as: kind, at: now))
    }

    /// What happens next by itself.
    mutating func next() -> BootloaderTransfer.Event? {
      while isLinked {
        if !notices.isEmpty { return .received(notices.removeFirst()) }
        guard board.nextEvent != nil else { return nil }
        step()
      }
      return .linkEnded
    }

    private mutating func step() {
      guard let next = board.nextEvent else { return }
      now = max(now, next)
      take(board.advance(to: now))
    }

    private mutating func take(_ effects: [BoardEffect]) {
      for effect in effects {
        switch effect {
        case .notify(MetaMotionAttributes.bootloaderControl, let notice): notices.append(notice)
        case .dropLink:
          isLinked = false
          take(board.disconnected(at: now))
        case .notify, .advertisementChanged, .moved, .noted: break
        }
      }
    }
  }

  private static let windows = 20

  /// Sends `windows` windows of packets.
  private static func transfer(interval: Duration, window: Int) throws -> Course {
    let bytes = SeededFirmware.image(of: "1.9.1", size: windows * window * 20)
    let image = FirmwareImage(
      kind: .application, initPacket: SeededFirmware.initPacket(of: bytes), bytes: bytes)
    var bench = try Bench(interval: interval)
    var transfer = BootloaderTransfer(image, window: window)
    var event: BootloaderTransfer.Event? = .ready
    var (began, onTheWay): (Duration?, Int) = (nil, 0)
    var course = Course(time: .zero, mostOnTheWay: 0, receipts: 0)
    while let happened = event {
      if case .received(let notice) = happened, let start = began {
        if notice.first == 0x11 { (onTheWay, course.receipts) = (0, course.receipts + 1) }
        if notice.starts(with: [0x10, 3, 1]) { (onTheWay, course.time) = (0, bench.now - start) }
      }
      for effect in transfer.next(happened, at: bench.now) {
        switch effect {
        case .writeControl(let bytes):
          try bench.write(bytes, to: MetaMotionAttributes.bootloaderControl, as: .request)
          if bytes == [3] { began = bench.now }
        case .writePacket(let bytes):
          try bench.write(bytes, to: MetaMotionAttributes.bootloaderPacket, as: .command)
          if began != nil { onTheWay += 1 }
          course.mostOnTheWay = max(course.mostOnTheWay, onTheWay)
        case .done: return course
        case .wait: break
        case .aborted, .failed: throw TransferFailure(.again, "\(effect)")
        }
      }
      event = bench.next()
    }
    throw TransferFailure(.again, "nothing happens any more")
  }

  /// A window of packets crosses in as many connection events as it needs, and its receipt in one behind them.
  private static func roundTrip(_ interval: Duration, _ window: Int) -> Duration {
    let events = (window + Bench.packetsPerEvent - 1) / Bench.packetsPerEvent
    return interval * (events + 1)
  }

  @Test(arguments: [7_500, 15_000, 30_000, 50_000], [10, 4, 1])
  func `F294 F280 the bytes per second of a transfer are what its receipts allow at that connection interval`(
    microseconds: Int, window: Int
  ) throws {
    let interval = Duration.microseconds(microseconds)
    let course = try Self.transfer(interval: interval, window: window)
    let bound = Self.roundTrip(interval, window) * Self.windows
    #expect(course.time >= bound)
    // Two requests are in front of the first window.
    #expect(course.time <= bound + interval)
    #expect(course.mostOnTheWay == window)
    #expect(course.receipts == Self.windows - 1)
  }

  @Test(arguments: [10, 4, 1])
  func `F294 twice the connection interval takes twice as long, to the nanosecond`(window: Int) throws {
    let short = try Self.transfer(interval: .milliseconds(15), window: window)
    let long = try Self.transfer(interval: .milliseconds(30), window: window)
    #expect(long.time == short.time * 2)
    #expect((long.mostOnTheWay, long.receipts) == (short.mostOnTheWay, short.receipts))
  }

  @Test func `F294 fewer packets on the way are slower`() throws {
    let rates = try [10, 4, 1].map { window in
      let course = try Self.transfer(interval: .milliseconds(30), window: window)
      return Double(Self.windows * window * 20) / (course.time / .seconds(1))
    }
    #expect(rates[0] > rates[1] && rates[1] > rates[2], "\(rates)")
    #expect(rates[0] < 2_300 && rates[0] > 2_100, "\(rates)")
  }
}

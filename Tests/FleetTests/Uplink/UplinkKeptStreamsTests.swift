import FleetModel
import Storage
import Testing

@testable import Fleet

/// Streamed samples that are kept beside what goes to the broker.
@Suite struct UplinkKeptStreamsTests {
  private static let record = "m/board/\(BoardID.number(1))/record/switch"

  private static func rig(keeps: Bool = true) throws -> UplinkRig {
    try UplinkRig(seed: 1) { _, storage in storage.streams.keep = keeps ? .seconds(86_400) : nil }
  }

  /// Ten samples every 250 ms, so many times.
  private static func stream(_ batches: Range<Int>, _ rig: UplinkRig) async {
    for number in batches {
      await rig.batch(number * 10, samples: 10)
      await rig.pass(.milliseconds(250))
    }
  }

  @Test(arguments: [true, false])
  func `what is published is kept where that is wanted, and some seconds of it are one row`(keeps: Bool)
    throws
  {
    let rig = try Self.rig(keeps: keeps)
    let (samples, rows) = try rig.run { () -> (Int, Int) in
      await rig.connected()
      await Self.stream(0..<60, rig)
      await rig.uplink.stop(within: .seconds(5))
      var rows = 0
      guard let streams = try? await rig.store.kept.streams() else { return (-1, -1) }
      while let purge = try? await rig.store.kept.purge(before: .at(1 << 40), maximumSize: 0, batch: 1),
        purge.rows > 0
      {
        rows += 1
      }
      return (streams.reduce(0) { $0 + $1.samples }, rows)
    }
    #expect(samples == (keeps ? 600 : 0))
    #expect(keeps ? (3...5).contains(rows) : rows == 0, "\(rows)")
  }

  @Test(arguments: [StoreFailure.full, .low, .readOnly])
  func `F235 a disk that has no room costs the copy, and no sample on its way to the broker`(
    failure: StoreFailure
  ) throws {
    let rig = try Self.rig()
    let (published, dropped, kept) = try rig.run { () -> (Int, Int, Int) in
      await rig.connected()
      await rig.store.rehearse(failure)
      await Self.stream(0..<60, rig)
      await rig.store.rehearse(nil)
      await Self.stream(60..<120, rig)
      await rig.pass(.seconds(30))
      let payloads = await rig.broker.payloads(on: Self.record)
      let kept = try? await rig.store.kept.statistics().amount.samples
      return (Set(payloads).count, rig.counters.value(of: .keptDropped), kept ?? -1)
    }
    #expect(published == 120)
    #expect(dropped >= 300 && dropped + kept <= 1_200 && kept >= 300, "\(dropped) dropped, \(kept) kept")
  }

  @Test func `what a reload chooses counts from then on`() throws {
    let rig = try Self.rig(keeps: false)
    let kept = try rig.run { () -> Int in
      await rig.connected()
      await Self.stream(0..<20, rig)
      var limits = StorageConfiguration()
      limits.streams.keep = .seconds(60)
      await rig.uplink.change(to: limits)
      await Self.stream(20..<40, rig)
      await rig.uplink.stop(within: .seconds(5))
      return (try? await rig.store.kept.statistics().amount.samples) ?? -1
    }
    #expect(kept == 200)
  }
}

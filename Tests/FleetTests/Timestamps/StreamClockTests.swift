import FleetModel
import Support
import Testing

@testable import Fleet

@Suite struct StreamClockTests {
  /// Rates with 1 and 3 samples in a packet.
  private static let sensors: [(Double, Int)] = [50, 100, 400, 800, 1_600].flatMap { rate in
    [(rate, 1), (rate, 3)]
  }

  @Test(arguments: sensors)
  func `F143 packets in clumps leave no trace in the stamps: they increase evenly`(rate: Double, samples: Int)
  {
    for (clump, speed) in [(0.0487, 1.013), (0.0971, 0.98), (0.0125, 1.0)] {
      let puts = AirRig(rate: rate, speed: speed, samplesInPacket: samples, clump: clump).play()
      let period = 1 / (rate * speed)
      #expect(puts.steps.allSatisfy { $0 > 0 })
      let uneven = puts.steps.count { abs($0 - period) > 0.2 * period }
      #expect(uneven * 1_000 <= puts.count, "clump \(clump)")
      #expect(puts.worst(from: 0) < 0.1 && puts.worst(from: 20) < 0.02, "clump \(clump)")
      #expect(puts.declared * 1_000 <= puts.count)
    }
  }

  @Test(
    arguments: [(12.5, 1), (12.5, 3), (25, 3), (50, 1), (50, 3), (100, 1), (100, 3)])
  func
    `F143 a link that begins to deliver in clumps, however long, loses nothing, and stamps are as far off as is told`(
      rate: Double, samples: Int
    )
  {
    var random = SeededGenerator(seed: 42)
    for _ in 0..<12 {
      let (clump, speed) = (0.05 + random.fraction() * 0.9, 0.97 + random.fraction() * 0.06)
      // A link that clumps at the rhythm of packets looks like a sensor of that rhythm.
      let beat = clump / (Double(samples) / rate / speed)
      guard abs(beat - 1) > 0.1 else { continue }
      let puts = AirRig(
        rate: rate, speed: speed, samplesInPacket: samples, seconds: 300, clump: clump, clumpFrom: 100
      ).play()
      #expect(puts.declared <= 2 * samples, "clump \(clump), speed \(speed)")
      #expect(puts.outside * 200 <= puts.count, "clump \(clump), speed \(speed)")
      #expect(puts.steps.allSatisfy { $0 > 0 })
    }
  }

  @Test
  func `F145 a sensor that is known well keeps its rate, however unevenly packets come and whatever is lost`()
  {
    let puts = AirRig(
      rate: 12.5, speed: 0.992, samplesInPacket: 1, seconds: 300, jitter: 0.02, loss: 0.05
    ).play()
    #expect(puts.declared == puts.missing && puts.misplaced == 0)
    #expect(puts.worst(from: 20) < 0.025)
  }

  @Test(arguments: sensors)
  func `F143 a sensor that is a little slow or fast has even stamps, and loses nothing`(
    rate: Double, samples: Int
  ) {
    for speed in [0.97, 0.99, 1.004, 1.03] {
      let puts = AirRig(rate: rate, speed: speed, samplesInPacket: samples).play()
      let period = 1 / (rate * speed)
      #expect(puts.declared == 0 && puts.steps.allSatisfy { abs($0 - period) < 0.2 * period }, "\(speed)")
      #expect(puts.worst(from: 10) < 0.005, "\(speed)")
    }
  }

  @Test(arguments: sensors)
  func `F145 a sensor that is much slower or faster has even stamps, and loses nothing`(
    rate: Double, samples: Int
  ) {
    for speed in [0.5, 0.8, 0.9, 1.2] {
      let puts = AirRig(rate: rate, speed: speed, samplesInPacket: samples).play()
      #expect(puts.declared == 0 && puts.steps.allSatisfy { $0 > 0 }, "\(speed)")
      #expect(puts.worst(from: 20) < 0.03, "\(speed)")
    }
  }

  @Test(arguments: [(50, 3, 0.67), (50, 1, 0.67), (100, 3, 0.8), (25, 3, 0.6), (12.5, 1, 0.75)])
  func
    `F145 a sensor that is much slower loses nothing on a host that stands still now and then in its first seconds`(
      rate: Double, samples: Int, speed: Double
    )
  {
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      let stalls = (0..<6).map { _ in
        let start = random.fraction() * 6
        return start..<(start + random.fraction() * 0.15)
      }
      let puts = AirRig(
        rate: rate, speed: speed, samplesInPacket: samples, seconds: 30, jitter: 0.005, stalls: stalls,
        seed: seed
      ).play()
      #expect(puts.declared == 0 && puts.steps.allSatisfy { $0 > 0 }, "seed \(seed)")
    }
  }

  @Test(
    arguments: [(12.5, 1, 0.03, 0.1), (12.5, 1, 0.03, 0.4), (50, 3, 0.03, 0.4), (100, 3, 0.01, 0.4)])
  func `F145 a sensor that was seen to run at its rate keeps it on a link that begins to lose packets`(
    rate: Double, samples: Int, jitter: Double, loss: Double
  ) {
    for seed in UInt64(1)...20 {
      let puts = AirRig(
        rate: rate, samplesInPacket: samples, seconds: 40, jitter: jitter, loss: loss, lossFrom: 4, seed: seed
      ).play()
      #expect(abs(puts.declared - puts.missing) <= 10, "seed \(seed)")
    }
  }

  @Test(arguments: [(12.5, 1), (25, 3), (50, 1), (50, 3), (100, 3)])
  func `F144 what is lost of a sensor whose rate nobody knows yet is counted, and is no other rate`(
    rate: Double, samples: Int
  ) {
    for seed in UInt64(1)...10 {
      let puts = AirRig(
        rate: rate, speed: 0.99, samplesInPacket: samples, seconds: 20, jitter: 0.003, loss: 0.2, seed: seed
      ).play()
      #expect(puts.declared == puts.missing && puts.misplaced == 0, "seed \(seed)")
    }
  }

  /// Those whose packets are further apart than they are late.
  private static let slowSensors: [(Double, Int)] = [
    (12.5, 1), (50, 1), (50, 3), (100, 1), (100, 3), (400, 3),
  ]

  @Test(arguments: slowSensors)
  func `F144 packets that are lost one by one are counted where they are missing`(rate: Double, samples: Int)
  {
    for (loss, speed) in [(0.003, 1.0), (0.02, 1.004), (0.1, 0.99)] {
      let puts = AirRig(rate: rate, speed: speed, samplesInPacket: samples, loss: loss).play()
      #expect(puts.declared == puts.missing, "\(loss)")
      #expect(puts.misplaced == 0, "\(loss)")
    }
  }

  @Test(arguments: sensors)
  func `F148 what is missing behind a pause is counted on the first sample behind it`(
    rate: Double, samples: Int
  ) throws {
    let puts = AirRig(
      rate: rate, speed: 0.985, samplesInPacket: samples, seconds: 120, holes: [10..<15, 30..<31, 40..<100]
    ).play()
    #expect(abs(puts.declared - puts.missing) * 1_000 <= puts.missing)
    #expect(puts.count { $0.lost > 0 } == 3)
    #expect(zip(puts, puts.dropFirst()).allSatisfy { ($0.1.number - $0.0.number > 1) == ($0.1.lost > 0) })
    #expect(puts.worst(from: 20) < 0.01)
  }

  @Test(arguments: sensors)
  func `F24 what piled up and came whole is no loss`(rate: Double, samples: Int) {
    let puts = AirRig(
      rate: rate, speed: 1.01, samplesInPacket: samples, stalls: [10..<12, 30..<30.7, 40..<44.5]
    )
    .play()
    #expect(puts.declared == 0)
    #expect(puts.worst(from: 5) < 0.01)
  }

  @Test func `a sensor whose period is kept only about has even stamps, and misses nothing`() {
    let puts = AirRig(rate: 10, speed: 0.85, samplesInPacket: 1, jitter: 0.02, isRegular: false).play()
    #expect(puts.declared == 0 && puts.worst(from: 20) < 0.05)
  }

  @Test
  func
    `F149 where our clock was set back, stamps go on until it has caught up, and say how far they are off`()
    throws
  {
    var clock = StreamClock(period: .milliseconds(10), isRegular: true)
    _ = clock.begin(1, at: .at(0), behind: nil)
    var last = Timestamp.at(0)
    for index in Int64(1)...4_000 {
      let shift: Int64 = index > 1_000 ? -2_000 : 0
      let arrival = Timestamp.at(index * 10 + shift)
      let placed =
        clock.take(1, at: arrival).map { [$0] }
        ?? clock.takeOther(1, at: arrival, uptime: .milliseconds(index * 10), setForward: 0)
      let place = try #require(placed.first)
      #expect(placed.count == 1 && place.last > last && place.lost == 0)
      let error = Duration.nanoseconds(clock.offset) + .milliseconds(2)
      #expect(place.last - arrival <= error && arrival - place.last <= error)
      last = place.last
    }
    #expect(clock.offset < 1_000_000)
  }

  @Test(arguments: sensors)
  func `F144 a host that is late by half a packet and more, for most of a second, loses nothing`(
    rate: Double, samples: Int
  ) {
    let span = Double(samples) / rate
    for share in [0.6, 0.8, 1.1, 2.3] {
      let puts = AirRig(
        rate: rate, samplesInPacket: samples, busy: [20.0..<20.7, 27.1..<27.9, 41.3..<41.8],
        busyDelay: share * span
      ).play()
      #expect(puts.declared == 0 && puts.steps.allSatisfy { $0 > 0 }, "late by \(share) of a packet")
    }
  }

  @Test func `F149 where our clock was set forward, stamps jump, and nothing is missing`() {
    var clock = StreamClock(period: .milliseconds(10), isRegular: true)
    _ = clock.begin(1, at: .at(0), behind: nil)
    var placed: [StreamClock.Placement] = []
    for index in Int64(1)...2_000 {
      let arrival = Timestamp.at(index * 10 + (index > 1_000 ? 90_000 : 0))
      if let place = clock.take(1, at: arrival) {
        placed.append(place)
      } else {
        placed += clock.takeOther(
          1, at: arrival, uptime: .milliseconds(index * 10), setForward: index > 1_000 ? 90_000_000_000 : 0)
      }
    }
    #expect(placed.count == 2_000 && placed.allSatisfy { $0.lost == 0 })
    #expect(placed.last?.last == .at(110_000))
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func `a clock that is told nonsense does not trap`(nanoseconds: Int64) {
    for period in [Duration.nanoseconds(1), .seconds(1), .seconds(1 << 33)] {
      var clock = StreamClock(period: period, isRegular: true)
      _ = clock.begin(3, at: .at(0), behind: Timestamp(nanoseconds: nanoseconds))
      for time in [nanoseconds, 0, nanoseconds / 2, .max, .min] {
        let arrival = Timestamp(nanoseconds: time)
        if clock.take(3, at: arrival) == nil {
          _ = clock.takeOther(3, at: arrival, uptime: .seconds(1), setForward: 0)
        }
        _ = clock.expire(.seconds(1 << 33), setForward: .max, force: true)
      }
    }
  }
}

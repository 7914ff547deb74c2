import FleetModel
import Support

@testable import Fleet

/// A sensor, the air and a clock: what packets are sent when, what becomes of them on their way, and where their
/// samples are put in the end. Seeded.
struct AirRig {
  /// A sample that was put to its place.
  struct Put {
    var stamp: Timestamp
    /// When it was taken.
    var truth: Timestamp
    /// Its number among all that the sensor took.
    var number: Int
    /// How many were told to be missing before it.
    var lost: Int
    /// How far its stamp may be off as far as was known, in seconds.
    var error: Double
  }

  var rate = 100.0
  /// What the sensor really does, of `rate`.
  var speed = 1.0
  var samplesInPacket = 3
  var seconds = 60.0
  /// Packets leave at multiples of this only, in seconds, from then on.
  var clump = 0.0
  var clumpFrom = 0.0
  /// Packets are late by up to so many seconds.
  var jitter = 0.001
  /// Share of packets that are lost from then on, in seconds.
  var loss = 0.0
  var lossFrom = 0.0
  /// When nothing is sent, and when it is held back.
  var holes: [Range<Double>] = []
  var stalls: [Range<Double>] = []
  /// When each packet comes later than otherwise, by so many seconds: a busy host.
  var busy: [Range<Double>] = []
  var busyDelay = 0.0
  var isRegular = true
  var seed: UInt64 = 1

  private static let start = Timestamp(milliseconds: 1_700_000_000_000)

  private static func time(_ seconds: Double) -> Timestamp { start + .nanoseconds(Int64(seconds * 1e9)) }

  /// Packets as they arrive: the number of the last sample in each, and when, in seconds.
  func packets() -> [(number: Int, sent: Double, arrival: Double)] {
    var random = SeededGenerator(seed: seed)
    let span = Double(samplesInPacket) / (rate * speed)
    var packets: [(number: Int, sent: Double, arrival: Double)] = []
    var before = 0.0
    for index in 0..<Int(seconds / span) {
      let sent = Double(index) * span
      let (isLost, late) = (
        Double.random(in: 0..<1, using: &random) < loss, Double.random(in: 0..<1, using: &random)
      )
      guard !isLost || sent < lossFrom, !holes.contains(where: { $0.contains(sent) }) else { continue }
      var arrival = sent + late * jitter
      if clump > 0, sent >= clumpFrom { arrival = (arrival / clump).rounded(.up) * clump + late * 0.0005 }
      if busy.contains(where: { $0.contains(arrival) }) { arrival += busyDelay }
      for stall in stalls where stall.contains(arrival) { arrival = stall.upperBound }
      before = max(arrival, before + 0.000_01)
      packets.append(((index + 1) * samplesInPacket - 1, sent, before))
    }
    return packets
  }

  /// Lets them arrive, and tells where their samples lie.
  func play() -> [Put] {
    var clock = StreamClock(period: .seconds(1 / rate), isRegular: isRegular)
    var waiting: [(number: Int, sent: Double)] = []
    var puts: [Put] = []
    func take(_ placed: [StreamClock.Placement]) {
      for place in placed {
        let packet = waiting.removeFirst()
        for index in 0..<place.count {
          let back = place.count - 1 - index
          puts.append(
            Put(
              stamp: place.time(of: index), truth: Self.time(packet.sent - Double(back) / (rate * speed)),
              number: packet.number - back, lost: index == 0 ? place.lost : 0,
              error: Double(clock.offset) / 1e9))
        }
      }
    }
    for packet in packets() {
      let uptime = Duration.seconds(packet.arrival)
      if let due = clock.due, due <= uptime { take(clock.expire(due, setForward: 0)) }
      waiting.append((packet.number, packet.sent))
      let arrival = Self.time(packet.arrival)
      if clock.line == nil {
        take([clock.begin(samplesInPacket, at: arrival, behind: nil)])
      } else if let place = clock.take(samplesInPacket, at: arrival) {
        take([place])
      } else {
        take(clock.takeOther(samplesInPacket, at: arrival, uptime: uptime, setForward: 0))
      }
    }
    take(clock.expire(.seconds(seconds + 10), setForward: 0, force: true))
    return puts
  }
}

extension [AirRig.Put] {
  /// Samples that are missing, and those that were told to be.
  var missing: Int { zip(self, dropFirst()).reduce(0) { $0 + $1.1.number - $1.0.number - 1 } }
  var declared: Int { reduce(0) { $0 + $1.lost } }
  /// Samples before which another number is missing than was told.
  var misplaced: Int { zip(self, dropFirst()).count { $0.1.number - $0.0.number - 1 != $0.1.lost } }
  /// Steps, in seconds, where nothing is missing.
  var steps: [Double] {
    zip(self, dropFirst()).compactMap { before, put in
      put.number == before.number + 1 ? (put.stamp - before.stamp).inSeconds : nil
    }
  }
  /// Stamps that are off by more than was known, and by more than packets are held back anyway.
  var outside: Int { count { abs(($0.stamp - $0.truth).inSeconds) > 0.1 + $0.error } }
  /// How far stamps are off at most from `start` seconds on.
  func worst(from start: Double) -> Double {
    drop { ($0.truth - (self[0].truth)).inSeconds < start }.map { abs(($0.stamp - $0.truth).inSeconds) }.max()
      ?? 0
  }
}

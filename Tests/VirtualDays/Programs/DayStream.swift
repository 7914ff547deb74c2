import FleetModel

/// What a board measured for a stream, and what subscribers got of it: values, times, and where something is missing.
///
/// A published sample is the next one measured with the same values. How many are missing before it follows from when
/// the two were measured, whatever became of those between.
struct DayStream: Sendable {
  /// What boards stream.
  enum Kind: String, CaseIterable {
    case acceleration
    case rotation = "angular-velocity"

    /// In turn.
    init(board: Int) { self = board.isMultiple(of: 2) ? .acceleration : .rotation }

    var name: String { rawValue }

    /// A narrow range, in which noise tells samples apart.
    var configuration: JSONObject {
      switch self {
      case .acceleration: ["rate_hz": 12.5, "range_g": 4]
      case .rotation: ["rate_hz": 25, "range_dps": 125]
      }
    }

    var fields: [String] {
      switch self {
      case .acceleration: ["ax_g", "ay_g", "az_g"]
      case .rotation: ["gx_dps", "gy_dps", "gz_dps"]
      }
    }

    /// Steps of the register in a unit as the board is set (protocol reference, sections 8 and 10).
    func scale(_ configuration: JSONObject) -> Double? {
      switch self {
      case .acceleration: configuration["range_g"]?.number.map { 32_768 / $0 }
      case .rotation: configuration["range_dps"]?.number.map { 32_800 / $0 }
      }
    }
  }

  /// Samples that are missing at one place, and those that were told there.
  private struct Hole {
    var missing: Int
    var told: Int
    /// By how much both may differ because nobody can know better.
    var slack: Int

    /// Two ends that are rounded, and a sensor's own rate, which a gateway that was restarted does not know.
    var isRight: Bool { abs(missing - told) <= max(2, missing * 3 / 100) + slack }
  }

  /// More samples in a row than a packet holds are missing because a stream stopped.
  private static let outage = 6

  /// What is sent arrives at multiples of this.
  var clump = Duration.zero

  /// Measured and not published yet, oldest first, from `first` on.
  private var waiting: [(values: [Int16], time: Timestamp)] = []
  private var first = 0
  private var batches: Set<String> = []
  private var lastTime: Timestamp?
  private var lastStamp: Int64?
  /// From sample to sample, as it was last measured.
  private var period: Duration?
  /// Steps of the register in a unit.
  private var scale = 1.0
  private var holes: [Hole] = []
  private var (samples, outside, unknown, unordered, invented) = (0, 0, 0, 0, 0)
  private var statedSum = 0.0
  private var worst = 0.0

  mutating func measured(_ bytes: [UInt8], at time: Timestamp) {
    let values = stride(from: 0, to: 6, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    if let last = waiting.last, time - last.time < .milliseconds(200) { period = time - last.time }
    waiting.append((values, time))
  }

  mutating func published(_ batch: JSONObject, _ kind: Kind) {
    // The broker may get a batch twice, and subscribers drop repeats.
    guard let id = batch["batch_id"]?.string, batches.insert(id).inserted else { return }
    let clock = batch["clock"]?.object ?? [:]
    scale = batch["config"]?.object.flatMap { kind.scale($0) } ?? scale
    let stated = clock["source"]?.string == "unknown" ? nil : clock["err_ms"]?.number
    for (index, sample) in (batch["samples"]?.array ?? []).enumerated() {
      guard let sample = sample.object, let stamp = sample["ts_us"]?.integer else { continue }
      if let lastStamp, stamp <= lastStamp { unordered += 1 }
      lastStamp = stamp
      let values = kind.fields.map { Int16(((sample[$0]?.number ?? 0) * scale).rounded()) }
      guard let time = take(values) else {
        invented += 1
        continue
      }
      compare(time, stamp, stated)
      note(time, told: index == 0 ? Int(batch["gap_before"]?.integer ?? 0) : 0)
    }
  }

  /// When the next sample with these values was measured; what lies before it will not come any more.
  private mutating func take(_ values: [Int16]) -> Timestamp? {
    guard let place = (first..<waiting.count).first(where: { waiting[$0].values == values }) else {
      return nil
    }
    let time = waiting[place].time
    first = place + 1
    if first > 100_000, first > waiting.count / 2 {
      waiting.removeFirst(first)
      first = 0
    }
    return time
  }

  private mutating func compare(_ time: Timestamp, _ stamp: Int64, _ stated: Double?) {
    samples += 1
    guard let stated else { return unknown += 1 }
    let off = abs(Double(stamp) / 1_000 - Double(time.nanoseconds) / 1_000_000)
    statedSum += stated
    worst = max(worst, off - stated)
    if off > stated { outside += 1 }
  }

  private mutating func note(_ time: Timestamp, told: Int) {
    defer { lastTime = time }
    guard let lastTime, let period else { return }
    let missing = Int(((time - lastTime) / period).rounded()) - 1
    guard missing > 0 || told != 0 else { return }
    // Where a stream begins anew, its first packet may have waited for as long as a clump lasts.
    let slack = missing > Self.outage ? Int((clump / period).rounded(.up)) : 0
    holes.append(Hole(missing: missing, told: told, slack: slack))
  }

  private var missing: Int { holes.reduce(0) { $0 + $1.missing } }
  private var told: Int { holes.reduce(0) { $0 + $1.told } }
  /// Holes with a wrong count, or none, and counts where no hole is.
  private var wrong: [Hole] { holes.filter { !$0.isRight } }

  /// What there was, for those who watch.
  var summary: String {
    "\(samples) samples, \(outside) outside their stated error (worst by \(worst) ms), \(unknown) of unknown time, "
      + "mean stated error \(statedSum / Double(max(1, samples - unknown))) ms; \(holes.count) holes of \(missing) samples, "
      + "\(told) told, \(wrong.count) holes not told right: \(wrong.prefix(12).map { "\($0.told) of \($0.missing)" })"
  }

  /// What is wrong.
  var findings: [String] {
    var findings: [String] = []
    if samples == 0 { findings.append("streamed nothing") }
    if invented > 0 { findings.append("\(invented) samples were published that were never measured") }
    if unordered > 0 {
      findings.append("\(unordered) stamps of its stream are not later than the one before")
    }
    if outside * 1_000 > samples {
      findings.append("\(outside) of \(samples) stamps of its stream are outside")
    }
    if unknown * 10 > samples {
      findings.append("\(unknown) of \(samples) samples of its stream have no time")
    }
    if abs(missing - told) > missing / 100 + holes.reduce(2, { $0 + $1.slack }) {
      findings.append("\(missing) samples of its stream are missing, and \(told) are told")
    }
    if wrong.count * 20 > holes.count {
      findings.append("\(wrong.count) of \(holes.count) holes are not told where they are")
    }
    return findings
  }
}

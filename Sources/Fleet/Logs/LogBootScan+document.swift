import FleetModel

extension LogBoot {
  /// As numbers: nil where they are none of ours.
  fileprivate init?(_ parts: [Int64]) {
    guard parts.count == 8 else { return nil }
    self.init(
      resetID: Int(clamping: parts[0]), resets: Int(clamping: parts[1]), first: UInt32(clamping: parts[2]),
      extent: parts[3], start: Int(clamping: parts[4]))
    (leap, leapEnd, secondLeap) = (parts[5], parts[6], parts[7])
  }

  fileprivate var parts: [Int64] {
    [Int64(resetID), Int64(resets), Int64(first), extent, Int64(start), leap, leapEnd, secondLeap]
  }
}

extension LogBootScan.State {
  /// As kept on disk, the same for the same state.
  var document: JSONObject {
    [
      "runs": .array(runs.map { .array($0.parts.map { .integer($0) }) }), "at": .integer(Int64(position)),
      "doubtful": .array(doubtful.map { .integer(Int64($0)) }),
      "loggers": .object(
        JSONObject(loggers.sorted { $0.key < $1.key }.map { (String($0.key), .integer($0.value)) })),
    ]
  }

  /// Reads what was kept; nil when it is none of ours.
  init?(_ document: JSONObject) {
    guard let at = document["at"]?.integer, let lines = document["runs"]?.array else { return nil }
    self.init()
    position = Int(clamping: at)
    for line in lines {
      guard let run = LogBoot((line.array ?? []).compactMap(\.integer)) else { return nil }
      runs.append(run)
    }
    doubtful = (document["doubtful"]?.array ?? []).compactMap { $0.integer.map(Int.init(clamping:)) }
    for (name, tick) in document["loggers"]?.object?.members ?? [] {
      if let logger = Int(name), let tick = tick.integer { loggers[logger] = tick }
    }
  }
}

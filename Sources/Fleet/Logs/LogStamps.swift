import FleetModel

/// The stamps of one stream's samples as they are published: each later than the one before, by a microsecond at least,
/// since that is the unit they are published in (fault F153). Pure.
struct LogStamps {
  /// What was dated; nil for a sample whose own time is doubtful.
  typealias Dated = LogDating.Stamp?

  /// The least distance of two stamps.
  static let step = Duration.microseconds(1)

  /// How long the board's counter stands at one number.
  var tick: Duration
  /// Time between two samples, where it is kept exactly.
  var period: Duration?

  /// Stamps of samples that follow each other, each later than the one before. `latest` is the stream's stamp before;
  /// `doubtful` makes the stamp of a sample that has none.
  func increasing(
    _ dated: [Dated], behind latest: Timestamp?, doubtful: (Int) -> LogDating.Stamp
  ) -> [LogDating.Stamp] {
    var stamps: [LogDating.Stamp] = []
    stamps.reserveCapacity(dated.count)
    var (index, latest) = (0, latest)
    while index < dated.count {
      let end = self.end(of: dated, from: index)
      for place in index..<end {
        var stamp: LogDating.Stamp
        if let known = dated[index] {
          stamp = draw(known, place - index, of: end - index)
        } else {
          stamp = doubtful(place)
          let next = end < dated.count ? dated[end]?.time : nil
          stamp.time = between(latest ?? stamp.time, next, 1, of: end - place + 1)
        }
        if let latest, stamp.time < latest + Self.step {
          // It is off by as much more as it is held back.
          stamp.error = stamp.error.map { $0 + (latest + Self.step - stamp.time) }
          stamp.time = latest + Self.step
        }
        latest = stamp.time
        stamps.append(stamp)
      }
      index = end
    }
    return stamps
  }

  /// The end of samples on one tick, or of those without a time.
  private func end(of dated: [Dated], from index: Int) -> Int {
    var end = index + 1
    while end < dated.count {
      switch (dated[index], dated[end]) {
      case (nil, nil): end += 1
      case (let one?, let other?) where one.run == other.run && one.tick == other.tick && one.error != nil:
        end += 1
      default: return end
      }
    }
    return end
  }

  /// Several samples on one tick share it evenly; those that are farther apart than that were packed, and the last of
  /// them is the one that was just taken.
  private func draw(_ stamp: LogDating.Stamp, _ place: Int, of count: Int) -> LogDating.Stamp {
    guard count > 1 else { return stamp }
    var drawn = stamp
    if let period, period > tick {
      // Or the sensor was read late: they may be as far off as they are drawn apart.
      let offset = period * (count - 1 - place)
      drawn.time = stamp.time - offset
      drawn.error = stamp.error.map { $0 + offset }
    } else {
      let offset = tick * (2 * place + 1 - count) / (2 * count)
      drawn.time = stamp.time + offset
      drawn.error = stamp.error.map { $0 + max(offset, .zero - offset) }
    }
    return drawn
  }

  /// Evenly between what is before and what is behind, where that is known.
  private func between(
    _ before: Timestamp, _ behind: Timestamp?, _ place: Int, of count: Int
  ) -> Timestamp {
    guard let behind, behind > before else { return before + (period ?? Self.step) }
    return before + .nanoseconds((behind - before).wholeNanoseconds / Int64(max(1, count)))
  }
}

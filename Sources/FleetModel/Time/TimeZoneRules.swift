/// How far the clocks of a place are from UTC at any time: what turns times of day into points in time (fault F185).
/// Pure; whoever knows time zones makes it.
public struct TimeZoneRules: Hashable, Sendable {
  /// From a time on, clocks are so far from UTC.
  public struct Change: Hashable, Sendable {
    /// The first moment at which it is so.
    public var time: Timestamp
    /// Local time less UTC.
    public var offset: Duration

    /// A change to `offset` at `time`.
    public init(at time: Timestamp, _ offset: Duration) { (self.time, self.offset) = (time, offset) }
  }

  /// A day of the calendar, counted from 1970-01-01, and the second of it that clocks show.
  public struct LocalTime: Hashable, Sendable {
    /// Days since 1970-01-01; negative before.
    public var day: Int64
    /// 0 to 86 399.
    public var second: Int

    /// Minutes after midnight.
    public var minute: Int { second / 60 }
  }

  private static let day: Int64 = 86_400
  /// More than any place's clocks are from UTC.
  private static let farthest = Duration.seconds(26 * 3_600)

  private let first: Duration
  private let changes: [Change]

  /// UTC.
  public static let utc = TimeZoneRules(.zero)

  /// Clocks that are `first` from UTC until the first of `changes`, which are in the order of time.
  public init(_ first: Duration, _ changes: [Change] = []) { (self.first, self.changes) = (first, changes) }

  /// The rules between two times as somebody knows them who can tell the offset at any time. Looks at each week, and
  /// finds changes to the second; two that undo each other within a week are not seen.
  public init(from start: Timestamp, to end: Timestamp, offset: (Timestamp) -> Duration) {
    let week = Duration.seconds(7 * Self.day)
    var (time, changes) = (start, [Change]())
    let first = offset(start)
    var known = first
    while time < end {
      let next = time + week
      let found = offset(next)
      if found != known {
        var (before, after) = (time, next)
        while after - before > .seconds(1) {
          let middle = before + .seconds((after - before).components.seconds / 2)
          if offset(middle) == known { before = middle } else { after = middle }
        }
        known = offset(after)
        changes.append(Change(at: after, known))
        time = after
      } else {
        time = next
      }
    }
    self.init(first, changes)
  }

  /// Local time less UTC at `time`.
  public func offset(at time: Timestamp) -> Duration {
    let count = countOfChanges(until: time)
    return count == 0 ? first : changes[count - 1].offset
  }

  /// What clocks show at `time`.
  public func local(_ time: Timestamp) -> LocalTime {
    let nanoseconds = (time + offset(at: time)).nanoseconds
    let seconds = Self.floor(nanoseconds, 1_000_000_000)
    let day = Self.floor(seconds, Self.day)
    return LocalTime(day: day, second: Int(seconds - day * Self.day))
  }

  /// When clocks show so many minutes after midnight of a day. A time that does not exist, because clocks are put
  /// forward over it, is taken right after the gap; of one that comes twice, because they are put back, the first is
  /// meant.
  public func time(day: Int64, minute: Int) -> Timestamp {
    let local = Timestamp(milliseconds: (day * Self.day + Int64(minute) * 60) * 1_000)
    var count = countOfChanges(until: local - Self.farthest)
    while true {
      let wanted = local - (count == 0 ? first : changes[count - 1].offset)
      if count > 0, wanted < changes[count - 1].time { return changes[count - 1].time }
      guard count < changes.count, wanted >= changes[count].time else { return wanted }
      count += 1
    }
  }

  /// How many changes there were when it was `time`.
  private func countOfChanges(until time: Timestamp) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    number / divisor - (number % divisor < 0 ? 1 : 0)
  }
}

/// Counts what happened in the last 24 hours, to the hour.
struct RollingCount: Sendable {
  private var hours: [Int64: Int] = [:]

  mutating func add(_ amount: Int = 1, at uptime: Duration) {
    let hour = uptime.components.seconds / 3600
    hours = hours.filter { $0.key > hour - 24 }
    hours[hour, default: 0] += amount
  }

  func value(at uptime: Duration) -> Int {
    let hour = uptime.components.seconds / 3600
    return hours.reduce(0) { $1.key > hour - 24 ? $0 + $1.value : $0 }
  }
}

import Glibc

/// Processor time of this program, and the line that tells it.
struct Bill {
  private let processor = Bill.processorTime
  private let start = ContinuousClock.now

  /// User and system time so far, in seconds.
  static var processorTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  /// Used since it was made.
  var used: Double { Bill.processorTime - processor }
  var wall: Double {
    Double((ContinuousClock.now - start).components.attoseconds) / 1e18
      + Double((ContinuousClock.now - start).components.seconds)
  }

  /// Resident memory in bytes.
  static var resident: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  static func report(_ figures: KeyValuePairs<String, Double>) {
    print("{" + figures.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}")
    fflush(nil)
  }
}

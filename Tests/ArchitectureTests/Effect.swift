/// What makes a file more than a decision: waiting, an isolation domain, a clock, chance, or I/O.
enum Effect: String, CaseIterable {
  case waiting = "async"
  case isolation = "an actor"
  case clock = "a clock"
  case chance = "unseeded chance"
  case world = "an import that can do I/O"

  func occurs(in file: SourceFile) -> Bool {
    switch self {
    case .waiting: file.count(of: "async") > 0
    case .isolation:
      file.positions(of: "actor").contains { file.token($0 + 1)?.text.first?.isUppercase == true }
    case .clock: file.count { Self.clocks.contains($0) || $0.hasPrefix("Dispatch") } > 0
    case .chance: file.count(of: "SystemRandomNumberGenerator") + file.count(of: "UUID", "(", ")") > 0
    case .world: !ImportRule.imports(of: file).isDisjoint(with: Self.worldly)
    }
  }

  private static let clocks: Set<String> = [
    "Clock", "ContinuousClock", "Date", "SuspendingClock", "clock_gettime",
  ]

  private static let worldly: Set<String> = [
    "CCurl", "CDBus", "CLinux", "CMicrohttpd", "CMosquitto", "COpenSSL",
    "Dispatch", "EventLoops", "Foundation", "FoundationEssentials",
    "GRDB",
    "Glibc",
    "ServiceLifecycle", "Synchronization",
  ]
}

import Glibc
import Simulator

/// See `Tests/VirtualDays/run`.
@main enum Program {
  static func main() throws {
    var plan = DayPlan()
    var arguments = CommandLine.arguments.dropFirst()
    while let option = arguments.popFirst() {
      guard let text = arguments.popFirst() else { return usage() }
      if option == "--archive" {
        plan.archive = text
        continue
      }
      guard let value = UInt64(text) else { return usage() }
      switch option {
      case "--days": plan.hours = 24 * Int(clamping: min(value, 10_000))
      case "--hours": plan.hours = Int(clamping: value)
      case "--seed": plan.seed = value
      case "--slow": plan.slowBoards = Int(clamping: value)
      case "--defects": plan.defectsPerDay = Int(clamping: min(value, 10_000))
      case "--lose-entries": plan.losesEntries = value != 0
      case "--accidents": plan.hasAccidents = value != 0
      case "--visit-hours": plan.visitHours = Int(clamping: max(1, value))
      case "--fast-hours": plan.fastHours = Int(clamping: value)
      case "--streams": plan.streamBoards = Int(clamping: min(value, 1_000))
      case "--adapters":
        plan.adapters = Int(clamping: max(1, min(value, UInt64(SimulatedAdapters.greatestCount))))
      case "--slots": plan.slots = Int(clamping: max(1, value))
      case "--fast": plan.fastBoards = Int(clamping: value)
      default: return usage()
      }
    }
    print(
      "seed \(plan.seed): \(plan.slowBoards) boards with a sample a minute, \(plan.fastBoards) at 100 Hz"
        + (plan.fastHours.map { " for the first \($0) hours" } ?? "")
        + ", \(plan.streamBoards) that stream, on \(plan.adapters) adapters with \(plan.slots) links each, \(plan.hours) hours"
    )
    fflush(nil)
    let findings = try DayFleet(plan).play()
    for finding in findings { print("FAIL \(finding)") }
    print(findings.isEmpty ? "passed" : "\(findings.count) failed")
    exit(findings.isEmpty ? 0 : 1)
  }

  private static func usage() {
    print(
      "usage: VirtualDays [--days N | --hours N] [--seed N] [--slow BOARDS] [--fast BOARDS] [--streams BOARDS] [--adapters N] [--slots LINKS] [--fast-hours N] [--visit-hours N] [--accidents 0|1] [--defects PER-DAY] [--lose-entries 0|1] [--archive FILE]"
    )
    exit(64)
  }
}

import FleetModel
import Testing

@testable import metafleet

@Suite struct ComputerChecksTests {
  /// A computer on which nothing is wrong.
  private static let whole = ComputerFacts(
    configuration: .read(name: "/etc/metafleet/metafleet.yaml", errors: [], warnings: 0),
    directory: "/var/lib/metafleet", state: .there(mode: 0o700, isWritable: true), database: .sound,
    freeBytes: 20_000_000_000, wholeBytes: 60_000_000_000, minimumFree: 200_000_000,
    now: Timestamp(milliseconds: 1_763_671_000_000), isClockSynchronised: true,
    switches: [.init(name: "hci0", isBlockedBySoftware: false, isBlockedByHardware: false)], isRoot: true)

  private func judge(
    _ check: Diagnosis.Check, _ change: (inout ComputerFacts) -> Void
  ) throws -> Diagnosis {
    var facts = Self.whole
    change(&facts)
    return try #require(ComputerChecks.judge(facts).first { $0.check == check })
  }

  @Test func `F244 nothing is wrong with a whole computer`() {
    let diagnoses = ComputerChecks.judge(Self.whole)
    #expect(diagnoses.map(\.verdict) == Array(repeating: .ok, count: 6), "\(diagnoses)")
    #expect(diagnoses.allSatisfy { $0.fix == nil })
  }

  @Test func `F244 a computer on which nothing was done yet has nothing broken`() {
    var facts = Self.whole
    facts.configuration = .missing(places: ["/etc/metafleet/metafleet.yaml"])
    (facts.state, facts.database, facts.switches) = (.missing, .missing, nil)
    let diagnoses = ComputerChecks.judge(facts)
    #expect(!diagnoses.contains { $0.verdict == .broken })
    #expect(diagnoses.first?.verdict == .warning && diagnoses.first?.fix?.contains("metafleet setup") == true)
  }

  @Test func `F244 a configuration with errors is broken, one that only root reads cannot be checked`() throws
  {
    let wrong = try judge(.configuration) {
      $0.configuration = .read(name: "a.yaml", errors: ["line 3: mqtt has no key", "line 4"], warnings: 1)
    }
    #expect(wrong.verdict == .broken && wrong.text == "a.yaml: line 3: mqtt has no key, and 1 more")
    for (isRoot, verdict) in [(true, Diagnosis.Verdict.broken), (false, .unchecked)] {
      let closed = try judge(.configuration) { ($0.configuration, $0.isRoot) = (.unreadable("no"), isRoot) }
      #expect(closed.verdict == verdict)
    }
  }

  @Test(
    arguments: [
      (.noDirectory, true, .broken), (.there(mode: 0o755, isWritable: true), true, .warning),
      (.there(mode: 0o750, isWritable: true), true, .ok),
      (.there(mode: 0o700, isWritable: false), true, .broken),
      (.there(mode: 0o700, isWritable: false), false, .unchecked), (.unreadable("no"), false, .unchecked),
      (.unreadable("no"), true, .broken),
    ] as [(ComputerFacts.DirectoryFact, Bool, Diagnosis.Verdict)])
  func `F244 a state directory has to be private, and writable for the service`(
    _ state: ComputerFacts.DirectoryFact, _ isRoot: Bool, _ verdict: Diagnosis.Verdict
  ) throws {
    #expect(try judge(.state) { ($0.state, $0.isRoot) = (state, isRoot) }.verdict == verdict)
  }

  @Test(
    arguments: [
      (.newer("newer"), .broken), (.damaged("bad"), .broken), (.unreadable("no"), .broken), (.missing, .ok),
    ] as [(ComputerFacts.DatabaseFact, Diagnosis.Verdict)])
  func `F244 a database that cannot be used is broken`(
    _ database: ComputerFacts.DatabaseFact, _ verdict: Diagnosis.Verdict
  ) throws {
    #expect(try judge(.database) { $0.database = database }.verdict == verdict)
  }

  @Test func `F244 a damaged database that was put aside is told`() throws {
    let aside = try judge(.database) { $0.damagedDatabases = ["/s/metafleet.sqlite.damaged-1"] }
    #expect(aside.verdict == .warning && aside.text.contains("/s/metafleet.sqlite.damaged-1"))
  }

  @Test(
    arguments: [
      (100_000_000, 60_000_000_000, .broken), (300_000_000, 60_000_000_000, .warning),
      (100_000_000, 200_000_000, .ok), (40_000_000, 200_000_000, .broken),
    ] as [(Int64, Int64, Diagnosis.Verdict)])
  func `F244 free space is judged by storage min_free, and never by more than a quarter of the disk`(
    _ free: Int64, _ whole: Int64, _ verdict: Diagnosis.Verdict
  ) throws {
    #expect(try judge(.disk) { ($0.freeBytes, $0.wholeBytes) = (free, whole) }.verdict == verdict)
    #expect(try judge(.disk) { $0.freeBytes = nil }.verdict == .unchecked)
  }

  @Test func `F244 a clock that nobody has set is broken, one that nothing keeps right is worth a warning`()
    throws
  {
    #expect(try judge(.clock) { $0.now = Timestamp(milliseconds: 5) }.verdict == .broken)
    #expect(try judge(.clock) { $0.isClockSynchronised = false }.verdict == .warning)
  }

  @Test func `F244 a radio switch that is off says which kind it is`() throws {
    let soft = try judge(.rfkill) {
      $0.switches = [.init(name: "hci0", isBlockedBySoftware: true, isBlockedByHardware: false)]
    }
    #expect(soft.verdict == .broken && soft.fix == "sudo rfkill unblock bluetooth")
    let hard = try judge(.rfkill) {
      $0.switches = [.init(name: "hci0", isBlockedBySoftware: true, isBlockedByHardware: true)]
    }
    #expect(hard.verdict == .broken && hard.fix?.contains("no program can") == true)
  }
}

/// The invariants that a seeded run is held against. I1 to I4 and I16 wait for logging on the boards; I13 is part of
/// I7 and I11, which hold for every class but records; I15 has its own tests; I19 is what a run must come to
/// (`FleetHealth`).
enum Invariants {
  static func all(boards: Int, rate: Double) -> [any Invariant] {
    [
      I05AtMostOnce(), I06Refusals(), I07OneFinalReply(), I08TrueState(boards: boards),
      I09AnsweredBeforeConnected(), I10Keys(), I11DeliveredOnAcknowledgement(), I12NoSilentLoss(),
      I14NobodyStopsOthers(boards: boards), I17HonestTime(), I18NothingUnchecked(boards: boards),
      I20GentleRecovery(),
    ]
  }
}

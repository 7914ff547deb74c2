/// The invariants that a seeded run is held against. I1 to I4 and I16 wait for logging on the boards; I13 is part of
/// I7 and I11, which hold for every class but records; I15 has its own tests; I19 is what a run must come to
/// (`FleetHealth`). Of those about firmware, U4 is part of that, too, U7 of I14, I20 and I12, which hold for all
/// boards but the one that gets it, and U9 and U10 have their own tests.
enum Invariants {
  static func all(boards: Int, rate: Double) -> [any Invariant] {
    [
      I05AtMostOnce(), I06Refusals(), I07OneFinalReply(), I08TrueState(boards: boards),
      I09AnsweredBeforeConnected(), I10Keys(), I11DeliveredOnAcknowledgement(), I12NoSilentLoss(),
      I14NobodyStopsOthers(boards: boards), I17HonestTime(), I18NothingUnchecked(boards: boards),
      I20GentleRecovery(), U01GatesFirst(), U02ProvedFirst(), U03ReadBack(), U05FewTransfers(),
      U06NeverForGood(), U08OneTransfer(), U08RolloutInBounds(),
    ]
  }
}

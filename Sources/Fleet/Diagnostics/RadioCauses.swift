import Dialects
import FleetModel

/// Causes about Bluetooth of the gateway: BlueZ and the adapters. Each is held against what the gateway has running, so
/// that nobody is sent to restart what works for other boards. Pure.
enum RadioCauses {
  /// Why no connection is possible at all, or none over the adapter that the board needs; nil where there is one, or
  /// could be.
  static func cause(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard !facts.isConnected else { return nil }
    return bluetoothDown(facts) ?? notPermitted(facts) ?? noAdapter(facts) ?? ownAdapterDown(facts)
  }

  private static func bluetoothDown(_ facts: ExplanationFacts) -> Explanation.Cause? {
    let isLost = facts.availability == .busLost
    // Health is as old as its time; what the board itself says is newer.
    let isSaidByHealth =
      facts.gateway?.health?[.bluetoothOK] == 0 && facts.availability?.state != .online
      && facts.availability != .noAdapter
    guard isLost || isSaidByHealth, !facts.isAnotherConnected else { return nil }
    return .init(
      .bluetoothDown, reason: facts.reason, since: isLost ? facts.since : nil,
      "BlueZ is not running\(facts.place): systemctl status bluetooth, then systemctl start bluetooth")
  }

  private static func notPermitted(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard facts.reason == .notPermitted, !facts.isAnotherConnected else { return nil }
    return .init(
      .notPermitted, reason: .notPermitted, since: facts.reasonSince,
      LinkFailureAdvice.notPermitted + facts.place)
  }

  private static func noAdapter(_ facts: ExplanationFacts) -> Explanation.Cause? {
    let adapters = facts.adapters
    let isSaid = facts.availability == .noAdapter
    guard isSaid || !adapters.isEmpty && facts.usableAdapters.isEmpty, !facts.isAnotherConnected else {
      return nil
    }
    return .init(
      .adapterDown, reason: facts.reason, since: isSaid ? facts.since : nil,
      "no Bluetooth adapter can be used\(facts.place)\(conditions(adapters)): \(advice(adapters))")
  }

  /// The board may use one adapter only, or has just lost the one that held it.
  private static func ownAdapterDown(_ facts: ExplanationFacts) -> Explanation.Cause? {
    let waiting =
      facts.usableAdapters.contains { $0.place(of: facts.board) != nil }
      ? [] : facts.adapters.filter { !$0.isUp && $0.place(of: facts.board) != nil }
    let lost = [ReasonCode.adapterOff, .adapterGone, .noRadio].contains(facts.reason)
    let adapters = waiting.isEmpty && lost ? facts.ownAdapter.map { $0.isUp ? [] : [$0] } ?? [] : waiting
    guard let adapter = adapters.first else { return nil }
    return .init(
      .adapterDown, reason: facts.reason, since: facts.reasonSince,
      "the adapter that the board needs cannot be used\(facts.place)\(conditions([adapter])): \(advice([adapter]))"
    )
  }

  private static func conditions(_ adapters: [AdapterDocument]) -> String {
    adapters.isEmpty ? "" : " (\(adapters.map(\.condition).joined(separator: ", ")))"
  }

  /// By what is the matter with them.
  private static func advice(_ adapters: [AdapterDocument]) -> String {
    let states = Set(adapters.compactMap { $0[.state] })
    var steps: [String] = []
    if states.isEmpty || states.contains("missing") { steps.append("plug one in") }
    if states.isEmpty || states.contains("blocked") { steps.append("rfkill unblock bluetooth") }
    if states.isEmpty || !states.isDisjoint(with: ["blocked", "down"]) {
      steps.append("bluetoothctl power on")
    }
    if let failed = adapters.first(where: { $0[.state] == "failed" }) {
      steps.append(failed[.lastError] ?? "use another adapter")
    }
    return steps.isEmpty ? "bluetoothctl show says more" : steps.joined(separator: ", or ")
  }

  /// Why nothing is received of a board that should be; nil where an adapter listens.
  static func scan(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard !facts.isConnected, facts.isOutOfSight, !facts.isBetweenVisits else { return nil }
    let adapters = facts.usableAdapters
    guard !adapters.isEmpty else { return nil }
    // It pauses while a connection is made.
    if adapters.allSatisfy({ $0[.isScanning] == false && $0[.connecting] == nil }) {
      return .init(
        .adapterNotScanning,
        "the adapter does not scan\(facts.place) (\(names(adapters))): another program may have stopped it; "
          + "bluetoothctl show tells Discovering, and \(reset(adapters, facts)) begins anew")
    }
    guard adapters.allSatisfy({ $0[.scanReasonCode] != nil }) else { return nil }
    return .init(
      .adapterDeaf, reason: .scanSilent,
      "nothing at all is received over \(names(adapters))\(facts.place) although boards are missing: either nothing is "
        + "in range, or the adapter receives nothing; \(reset(adapters, facts))")
  }

  private static func names(_ adapters: [AdapterDocument]) -> String {
    adapters.map { $0[.name] ?? "?" }.joined(separator: ", ")
  }

  private static func reset(_ adapters: [AdapterDocument], _ facts: ExplanationFacts) -> String {
    let adapter = adapters.first?[.adapter].map { " adapter=\($0)" } ?? ""
    return "metafleet send gateway:\(facts.gatewayName) adapter-reset\(adapter)"
  }
}

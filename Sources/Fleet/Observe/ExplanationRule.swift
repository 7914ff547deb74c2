package import Dialects
package import FleetModel

/// Explains from recorded facts alone why a board's data come, or do not. Pure: documents in, words out.
package struct ExplanationRule {
  let board: BoardID
  let fleet: FleetView
  let now: Timestamp
  /// What was heard of it just now; nil when nobody listened.
  var heard: HeardTraffic?

  package init(board: BoardID, fleet: FleetView, now: Timestamp, heard: HeardTraffic? = nil) {
    (self.board, self.fleet, self.now, self.heard) = (board, fleet, now, heard)
  }

  private var documents: FleetView.Board? { fleet.boards[board] }
  private var state: BoardStateDocument { documents?.state ?? BoardStateDocument(json: [:]) }
  private var reason: ReasonCode? { state[.reasonCode] }
  private var gateway: FleetView.Gateway? { documents.flatMap { fleet.gateway(of: $0) } }
  private var link: LinkPhase? { state[.link] }
  private var availability: Availability.Reason? { documents?.availability?[.reason] }
  private var since: Timestamp? { documents?.availability?[.since] }

  /// The explanation.
  package func explain() -> Explanation {
    guard documents != nil else {
      return Explanation(
        summary: "no data, nobody looks after it", hasData: false,
        causes: [
          .init(
            .notAdmitted,
            "no gateway has admitted it: metafleet admit \(board.address.colonSeparated); metafleet scan on the "
              + "gateway's computer shows whether it is in range")
        ], next: [])
    }
    // What a gateway that is gone said of the board is only on paper.
    if let gone = gatewayTrouble {
      return Explanation(summary: "no data, its gateway is gone", hasData: false, causes: [gone], next: [])
    }
    let obstacles = [boardTrouble ?? radioTrouble ?? linkTrouble, setupTrouble, silence, batteryTrouble]
    let hasData = isProducing && silence == nil && !isOnlyMeantToLog
    return Explanation(
      summary: summary(hasData), hasData: hasData,
      causes: obstacles.compactMap { $0 } + warnings, next: next)
  }

  private var isProducing: Bool {
    switch link {
    case .streaming, .logging, .downloading: true
    // Connected for a visit, while its log goes on.
    case .idle: isLogging
    default: false
    }
  }

  /// Whether nothing comes because all that it should log it does not.
  private var isOnlyMeantToLog: Bool {
    link?.isConnected != true && !isLogging && streamTrouble?.code == .notLogged
  }

  private var isLogging: Bool { documents?.config?.logsSomething == true }

  private func summary(_ hasData: Bool) -> String {
    let phase = link.map { $0.rawValue } ?? "nothing is known yet"
    guard hasData else { return "no data (\(phase))" }
    guard let heard else { return "data come (\(phase))" }
    if heard.streams.isEmpty {
      return "\(phase), but no live sample came within \(DurationText.format(heard.span))"
    }
    return "data come (\(phase)), just now \(heard.streams.sorted().joined(separator: ", "))"
  }

  private var gatewayTrouble: Explanation.Cause? {
    guard gateway?.isOnline != true else { return nil }
    let name = documents?.gateway ?? "?"
    let place = gateway?.info?[.host].map { " on \($0)" } ?? ""
    guard let availability = gateway?.availability else {
      return .init(
        .gatewayStopped,
        "the gateway \(name) is not on this broker: start it\(place), or look at its mqtt.host; "
          + "metafleet admit lets another one take the board")
    }
    let why =
      availability[.reason] == "stopped"
      ? "was stopped: start it\(place): systemctl start metafleet"
      : "is gone without a goodbye: it crashed, or lost power, network or the broker; look\(place) at "
        + "journalctl -u metafleet"
    return .init(.gatewayStopped, since: availability[.since], "the gateway \(name) \(why)")
  }

  /// What only somebody at the board, or who configures it, can change.
  private var boardTrouble: Explanation.Cause? {
    switch reason {
    case .disabled:
      return .init(
        .disabled,
        "it is switched off (enabled: false): change that in the configuration, or with metafleet admit "
          + "\(board) --enabled")
    case .held:
      return .init(
        .held, "somebody asked for the link to be dropped (disconnect); it is connected again afterwards")
    case .drained:
      return .init(
        .drained,
        "its gateway was told to let go of all its boards (drain): metafleet send "
          + "gateway:\(documents?.gateway ?? "?") drain resume=true")
    default: break
    }
    switch availability {
    case .asleep:
      return .init(.asleep, since: since, "it was put to sleep: press its button")
    case .bootloader:
      return .init(
        .bootloader, since: since,
        "it waits in its bootloader: a firmware update was broken off, or somebody asked "
          + "for it; resetting it with its button may bring it back")
    case .moved: return .init(.ownedElsewhere, since: since, "another gateway looks after it now")
    default: break
    }
    switch link {
    case .bootloader:
      return .init(.bootloader, "it waits in its bootloader for firmware; resetting it may bring it back")
    default: return nil
    }
  }

  private var radioTrouble: Explanation.Cause? {
    guard link?.isConnected != true else { return nil }
    let place = gateway?.info?[.host].map { " on \($0)" } ?? ""
    if availability == .busLost || gateway?.health?[.bluetoothOK] == 0 && availability != .noAdapter {
      return .init(
        .bluetoothDown, since: availability == .busLost ? since : nil,
        "BlueZ cannot be reached\(place): systemctl status bluetooth, systemctl start bluetooth")
    }
    let adapters = gateway?.adapters.values.sorted { ($0[.name] ?? "?") < ($1[.name] ?? "?") } ?? []
    guard availability == .noAdapter || !adapters.isEmpty && adapters.allSatisfy({ $0[.state] != "up" })
    else { return nil }
    let states = adapters.map { "\($0[.name] ?? "?") is \($0[.state] ?? "?")" }.joined(separator: ", ")
    return .init(
      .adapterDown, since: availability == .noAdapter ? since : nil,
      "no Bluetooth adapter can be used\(place)\(states.isEmpty ? "" : " (\(states))"): plug one in, or rfkill "
        + "unblock bluetooth and bluetoothctl power on")
  }

  private var linkTrouble: Explanation.Cause? {
    if link?.isConnected == true || link == .logging { return nil }
    if let trouble = reason.flatMap({
      LinkTrouble.cause(of: $0, state[.reason], since: failingSince)
    }) {
      return trouble
    }
    let seen = state[.lastSeen]
    switch (availability, link) {
    case (_, .waitingForSlot): return waiting
    case (_, .connecting), (_, .interviewing): return nil
    case (.silent, _) where seen != nil:
      return .init(
        .silentSince, since: seen,
        "it has not been heard since: charge it, bring it nearer, look whether another "
          + "device is connected to it")
    case (.connectFailed, _):
      return .init(
        .connectFailing, since: since, "attempts to connect fail: bring the board or the gateway nearer")
    case (_, .advertising): return waiting
    default:
      return .init(
        .notSeen, since: since,
        "it has not been heard: charge it, press its button, bring it nearer; is "
          + "\(board.address.colonSeparated) its address?")
    }
  }

  /// Since when it cannot be counted on; a failure while it can is younger than anybody wrote down.
  private var failingSince: Timestamp? { availability?.state == .online ? nil : since }

  private var waiting: Explanation.Cause {
    let adapters = gateway?.adapters.values.map { $0 } ?? []
    func total(_ field: DocumentField<AdapterDocument, Int>) -> Int {
      adapters.reduce(0) { $0 &+ ($1[field] ?? 0) }
    }
    return .init(
      .waitingForSlot,
      "it is there and waits for its turn: \(total(.slotsUsed)) of \(total(.slotsTotal)) links are in use, "
        + "\(total(.waiting)) boards wait; if that lasts, add an adapter or a gateway")
  }

  /// What the gateway says is lastingly wrong with its streams.
  private var streamTrouble: Explanation.Cause? {
    guard let reason = state[.streamReasonCode] else {
      return nil
    }
    let code: Explanation.Code =
      switch reason {
      case .streamSilent: .streamSilent
      case .notLogged: .notLogged
      default: .streamRate
      }
    return .init(code, state[.streamReason] ?? "?")
  }

  private var silence: Explanation.Cause? {
    if let trouble = streamTrouble, trouble.code == .streamSilent { return trouble }
    guard let event = heard?.events[.streamSilent], event[.type] == "silent" else { return nil }
    return .init(
      .streamSilent, since: event[.time],
      "\(event[.stream] ?? "?") was started and nothing comes: reset the board (metafleet send \(board) reset)"
    )
  }

  private var batteryTrouble: Explanation.Cause? {
    guard let percent = state[.batteryPercent], percent <= 5, link?.isConnected != true else {
      return nil
    }
    return .init(
      .batteryEmpty, since: state[.batteryTime], "its battery had \(percent) % left: charge it")
  }

  /// What does not keep data from coming, but from being kept or trusted.
  private var warnings: [Explanation.Cause] {
    // Silence is no warning.
    var causes = [streamTrouble].compactMap { $0?.code == .streamSilent ? nil : $0 }
    if gateway?.health?[.storageOK] == 0 {
      let condition = gateway?.health?[.storage] ?? .full
      causes.append(.init(.storageFull, condition.advice))
    }
    if let event = heard?.events[.publishRefused] {
      causes.append(
        .init(
          .brokerRefused, since: event[.time],
          "the broker refuses \(event[.topic] ?? "?"): look at its access rules for the gateway"))
    }
    if gateway?.health?[.clockSynced] == 0 {
      causes.append(
        .init(
          .clockUnset, "the gateway's clock is not synchronised, so time stamps may be wrong: timedatectl"))
    }
    if let used = state[.logUsedPercent], used >= 100 {
      causes.append(.init(.logFull, "its own memory is full: download and clear the log"))
    }
    return causes
  }

  /// What was asked of a board that is connected, and is not done.
  private var setupTrouble: Explanation.Cause? {
    guard link?.isConnected == true else { return nil }
    if reason?.isOfSetup == true {
      return .init(
        .notInSync, "not all of its profile can be had: \(state[.reason] ?? "?"); change the profile")
    }
    if documents?.config?[.isInSync] == false {
      let differences = documents?.config?[.differences] ?? []
      return .init(
        .notInSync, "it does not do all that is wanted of it: \(differences.joined(separator: ", "))")
    }
    guard link == .idle, !isLogging else { return nil }
    let profile = documents?.info?[.profile]
    return .init(
      .profileEmpty,
      "nothing is to be streamed: \(profile.map { "the profile \($0) has no streams, or they were stopped" } ?? "it has no profile")"
        + "; change that, or metafleet send \(board) stream-start stream=acceleration")
  }

  private var next: [Explanation.Step] {
    guard link?.isConnected != true, let due = state[.nextContact] else { return [] }
    return due > now
      ? [.init(time: due, text: "it counts as silent when nothing was heard of it by then")] : []
  }

}

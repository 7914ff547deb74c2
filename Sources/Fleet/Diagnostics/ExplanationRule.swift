package import Dialects
package import FleetModel

/// Explains from recorded facts alone why data of a board are received, or not. Pure: documents in, words out.
package struct ExplanationRule {
  let board: BoardID
  let fleet: FleetView
  let now: Timestamp
  /// What was heard of it just now; nil when nobody listened.
  var heard: ReceivedTraffic?

  package init(board: BoardID, fleet: FleetView, now: Timestamp, heard: ReceivedTraffic? = nil) {
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
        summary: "no data: no gateway has admitted it", hasData: false,
        causes: [
          .init(
            .notAdmitted,
            "admit it: metafleet admit \(board.address.colonSeparated); metafleet scan on the "
              + "gateway's host shows whether it is in range")
        ], next: [])
    }
    // What a gateway that is gone said of the board is only on paper.
    if let gone = gatewayTrouble {
      return Explanation(summary: "no data: its gateway is offline", hasData: false, causes: [gone], next: [])
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
    let phase = link.map { $0.rawValue } ?? "state unknown"
    guard hasData else { return "no data (\(phase))" }
    guard let heard else { return "receiving data (\(phase))" }
    if heard.streams.isEmpty {
      return "\(phase), but no live sample was received within \(DurationText.format(heard.span))"
    }
    return "receiving data (\(phase)), just now \(heard.streams.sorted().joined(separator: ", "))"
  }

  private var gatewayTrouble: Explanation.Cause? {
    guard gateway?.isOnline != true else { return nil }
    let name = documents?.gateway ?? "?"
    let place = gateway?.info?[.host].map { " on \($0)" } ?? ""
    guard let availability = gateway?.availability else {
      return .init(
        .gatewayStopped,
        "the gateway \(name) is not on this broker: start it\(place), or check its mqtt.host; "
          + "metafleet admit on another gateway takes the board over")
    }
    let why =
      availability[.reason] == "stopped"
      ? "was stopped: start it\(place): systemctl start metafleet"
      : "went offline without disconnecting: it crashed, or lost power, the network or the broker; check\(place): "
        + "journalctl -u metafleet"
    return .init(.gatewayStopped, since: availability[.since], "the gateway \(name) \(why)")
  }

  /// What only somebody at the board, or who configures it, can change.
  private var boardTrouble: Explanation.Cause? {
    switch reason {
    case .disabled:
      return .init(
        .disabled,
        "it is disabled (enabled: false): set enabled: true in the configuration file, or metafleet admit "
          + "\(board) --enabled")
    case .held:
      return .init(
        .held, "disconnected on request (disconnect); the gateway reconnects when the time is over")
    case .drained:
      return .init(
        .drained,
        "its gateway is drained and has no connections; to connect again: metafleet send "
          + "gateway:\(documents?.gateway ?? "?") drain resume=true")
    case .identityMismatch:
      return .init(
        .identityMismatch, since: availability == .identityMismatch ? since : nil,
        "\(state[.reason] ?? "?"): correct serial in the configuration file and reload, or put the right board back; "
          + "the gateway looks again within 15 minutes")
    default: break
    }
    switch availability {
    case .asleep:
      return .init(.asleep, since: since, "it was put to sleep: press its button")
    case .bootloader:
      return .init(
        .bootloader, since: since,
        "it is in its bootloader: a firmware update was interrupted, or the bootloader was "
          + "requested; reset it with its button")
    case .moved: return .init(.ownedElsewhere, since: since, "another gateway has admitted it")
    default: break
    }
    switch link {
    case .bootloader:
      return .init(.bootloader, "it is in its bootloader and waits for firmware; reset it with its button")
    default: return nil
    }
  }

  private var radioTrouble: Explanation.Cause? {
    guard link?.isConnected != true else { return nil }
    let place = gateway?.info?[.host].map { " on \($0)" } ?? ""
    if availability == .busLost || gateway?.health?[.bluetoothOK] == 0 && availability != .noAdapter {
      return .init(
        .bluetoothDown, since: availability == .busLost ? since : nil,
        "BlueZ is not running\(place): systemctl status bluetooth, then systemctl start bluetooth")
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
      LinkFailureAdvice.cause(of: $0, state[.reason], since: failingSince)
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
        "no advertisements since then: charge it, bring it nearer, check whether another "
          + "device is connected to it")
    case (.connectFailed, _):
      return .init(
        .connectFailing, since: since, "connection attempts fail: bring the board or the gateway nearer")
    case (_, .advertising): return waiting
    default:
      return .init(
        .notSeen, since: since,
        "no advertisements received: charge it, press its button, bring it nearer; is "
          + "\(board.address.colonSeparated) its address?")
    }
  }

  /// Since when it cannot be counted on; a failure while it can is younger than anybody wrote down.
  private var failingSince: Timestamp? { availability?.state == .online ? nil : since }

  private var waiting: Explanation.Cause {
    let adapters = gateway?.adapters.values.sorted { ($0[.name] ?? "?") < ($1[.name] ?? "?") } ?? []
    func total(_ field: DocumentField<AdapterDocument, Int>) -> Int {
      adapters.reduce(0) { $0 &+ ($1[field] ?? 0) }
    }
    // Each adapter says how many wait in the whole gateway.
    let others = adapters.map { $0[.waiting] ?? 0 }.max() ?? 0
    let turn = adapters.lazy.compactMap(self.turn).first
    return .init(
      .waitingForSlot, since: turn?.since,
      "it is in range and waits to connect: \(total(.slotsUsed)) of \(total(.slotsTotal)) connections are in use, "
        + "\(CountText.of(others, "board")) \(others == 1 ? "waits" : "wait")\(turn?.text ?? ""); if that lasts, add an "
        + "adapter or a gateway")
  }

  /// Where the board stands in the queue of an adapter; nil where it does not.
  private func turn(at adapter: AdapterDocument) -> (since: Timestamp?, text: String)? {
    let queue = adapter[.queue] ?? []
    guard let index = queue.firstIndex(where: { $0["board"]?.string == board.description }) else {
      return nil
    }
    let since = queue[index]["since_ms"]?.integer.map { Timestamp(milliseconds: $0) }
    return (since, ", this one as number \(index + 1) for \(adapter[.name] ?? "?")")
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
      "\(event[.stream] ?? "?") was started but no samples are received: reset the board (metafleet send \(board) reset)"
    )
  }

  private var batteryTrouble: Explanation.Cause? {
    guard let percent = state[.batteryPercent], percent <= 5, link?.isConnected != true else {
      return nil
    }
    return .init(
      .batteryEmpty, since: state[.batteryTime], "its battery was at \(percent) %: charge it")
  }

  /// What does not keep data from coming, but from being kept or trusted.
  private var warnings: [Explanation.Cause] {
    // Silence is no warning.
    var causes = [streamTrouble].compactMap { $0?.code == .streamSilent ? nil : $0 }
    if state[.identityReasonCode] != nil {
      causes.append(
        .init(
          .identityChanged,
          "\(state[.identityReason] ?? "?"): is it the right board? If so, name its serial in the configuration file; "
            + "else its data are another board's"))
    }
    if gateway?.health?[.storageOK] == 0 {
      let condition = gateway?.health?[.storage] ?? .full
      causes.append(.init(.storageFull, condition.advice))
    }
    if let event = heard?.events[.publishRefused] {
      causes.append(
        .init(
          .brokerRefused, since: event[.time],
          "the broker refuses \(event[.topic] ?? "?"): check the broker's access rules for the gateway"))
    }
    if gateway?.health?[.clockSynced] == 0 {
      causes.append(
        .init(
          .clockUnset, "the gateway's clock is not synchronised, so time stamps may be wrong: timedatectl"))
    }
    if let used = state[.logUsedPercent], used >= 100 {
      causes.append(
        .init(
          .logFull, "its flash is full: download and clear the log (metafleet send \(board) log-download)"))
    }
    return causes
  }

  /// What was asked of a board that is connected, and is not done.
  private var setupTrouble: Explanation.Cause? {
    guard link?.isConnected == true else { return nil }
    if reason?.isOfSetup == true {
      return .init(
        .notInSync, "the board cannot do all of its profile: \(state[.reason] ?? "?"); change the profile")
    }
    if documents?.config?[.isInSync] == false {
      let differences = documents?.config?[.differences] ?? []
      return .init(
        .notInSync,
        "its reported state differs from the desired state: \(differences.joined(separator: ", "))")
    }
    guard link == .idle, !isLogging else { return nil }
    let profile = documents?.info?[.profile]
    return .init(
      .profileEmpty,
      "no stream is configured: \(profile.map { "the profile \($0) has no streams, or they were stopped" } ?? "it has no profile")"
        + "; change that, or metafleet send \(board) stream-start stream=acceleration")
  }

  private var next: [Explanation.Step] {
    guard link?.isConnected != true, let due = state[.nextContact] else { return [] }
    return due > now
      ? [.init(time: due, text: "it becomes offline if no advertisement is received by then")] : []
  }

}

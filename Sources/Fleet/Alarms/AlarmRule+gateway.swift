import FleetModel

// What is the matter with the gateway and its adapters.
extension AlarmRule {
  func findOfGateway(_ found: inout AlarmFindings) {
    let gateway = facts.gateway
    if let trouble = gateway.bluetoothTrouble {
      found.present(
        .bluetoothDown, "no board can be connected: \(trouble); metafleet explain says what helps")
    }
    findOfDelivery(gateway, &found)
    findOfStorage(gateway, &found)
    findOfSetup(gateway, &found)
    let failed = gateway.recent.commandsFailed
    if failed > 5 {
      found.present(
        .commandsFailing,
        "\(failed) commands failed within 15 minutes; metafleet audit --since 1h tells which and why")
    }
    let (used, total) = (gateway.number(.slotsUsed), gateway.number(.slotsTotal))
    if total > 0, used >= total, gateway.number(.boardsTroubled) > 0 {
      found.present(
        .slotsExhausted,
        "all \(Int(total)) connection slots are taken and boards wait; another adapter brings more")
    }
  }

  private func findOfDelivery(_ gateway: AlarmFacts.Gateway, _ found: inout AlarmFindings) {
    if !gateway.isBrokerConnected {
      found.present(
        .brokerLost,
        "what is received waits on the gateway's disk; "
          + (gateway.brokerTrouble ?? "the broker is not connected: is it up, and does its password hold?"))
    } else if gateway.number(.outboxOldest) > 300 {
      found.present(
        .outboxLate,
        "messages wait for more than five minutes although the broker is connected; it takes them more slowly than "
          + "boards send")
    }
    if let topic = gateway.troubles.refusedTopics.first {
      let reason = gateway.troubles.refusalReason.map { " (\($0))" } ?? ""
      found.present(
        .brokerRefused,
        "the broker refuses \(topic)\(reason): permit it in its access rules, or raise its limits")
    } else if let topic = gateway.troubles.refusedSubscriptions.first {
      found.present(
        .brokerRefused, "the broker does not let the gateway hear \(topic); permit it in its access rules")
    }
    let (received, missing) = (gateway.recent.samplesIn, gateway.recent.samplesMissing)
    if missing > 0, missing * 100 > received + missing {
      found.present(
        .samplesMissing,
        "more than one in a hundred samples of the last 15 minutes is lost or was given up; the events data-gap name "
          + "board, stream and reason")
    }
    if gateway.numbers[.clockSynced] == 0 {
      found.present(
        .clockUnset, "no time service keeps the clock; timedatectl on the gateway's computer says why")
    }
  }

  private func findOfStorage(_ gateway: AlarmFacts.Gateway, _ found: inout AlarmFindings) {
    switch gateway.storage {
    case .fine: break
    case .slow, .beingRead: found.present(.storageSlow, gateway.storage.advice)
    case .low: found.present(.storageLow, gateway.storage.advice)
    case .locked, .full, .readOnly, .corrupt: found.present(.storageFull, gateway.storage.advice)
    }
    if let advice = KeptStreamsStatus.advice(gateway.keptTrouble) { found.present(.streamsNotKept, advice) }
    if let file = gateway.troubles.replacedDatabase {
      found.present(
        .databaseReplaced,
        "a damaged database was put aside as \(file); admit boards again that were admitted by command, then move it away"
      )
    }
  }

  private func findOfSetup(_ gateway: AlarmFacts.Gateway, _ found: inout AlarmFindings) {
    if let error = gateway.troubles.configurationError {
      found.present(.configurationError, "the configuration file does not count: \(error)")
    }
    if !gateway.troubles.withheld.isEmpty {
      found.present(
        .boardsWithheld,
        "boards that the file no longer lists are left alone (\(gateway.troubles.withheld.count)); a reload with confirm "
          + "says that they go")
    }
    if let first = gateway.certificates.min(by: { $0.expires < $1.expires }) { find(of: first, &found) }
    let outdated = Int(gateway.number(.boardsOutdated))
    if outdated > 0 {
      found.present(
        .firmwareOld,
        "there is newer firmware for \(CountText.of(outdated, "board")); metafleet firmware check names them")
    }
    if let trouble = gateway.firmwareTrouble {
      found.present(.firmwareCheckFailing, "newer firmware cannot be looked for: \(trouble)")
    }
  }

  /// How long before its end a certificate is said to expire; days.
  private static let warning = 30

  private func find(of certificate: AlarmFacts.Certificate, _ found: inout AlarmFindings) {
    // A clock that is not set says nothing of an end.
    guard facts.time.isPlausible else {
      found.unclear(.certificateExpired)
      return found.unclear(.certificateExpiring)
    }
    let left = certificate.expires - facts.time
    guard left > .zero else {
      return found.present(
        .certificateExpired, "the certificate \(certificate.file) has expired; put a new one in its place")
    }
    let days = Int(left.components.seconds / 86_400)
    guard days < Self.warning else { return }
    found.present(
      .certificateExpiring,
      "the certificate \(certificate.file) expires in \(CountText.of(days, "day")); put a new one in its place"
    )
  }

  func findOfAdapters(_ found: inout AlarmFindings) {
    for adapter in facts.adapters {
      let subject = Alarm.Subject.adapter(adapter.id)
      found.look(at: subject)
      guard adapter.state == "up" else {
        // Whatever stops all of them is one alarm.
        guard facts.gateway.bluetoothTrouble == nil else {
          found.unclear(.adapterDown, of: subject)
          continue
        }
        found.present(
          .adapterDown, of: subject,
          "the adapter is \(adapter.state); one that is gone for good is removed by metafleet forget adapter:\(adapter.id)",
          name: adapter.name, reason: adapter.lastError?.code)
        continue
      }
      if let trouble = adapter.scanTrouble {
        found.present(
          .adapterDeaf, of: subject,
          "nothing is received over it although boards are missing; plug it in again, or move it",
          name: adapter.name, reason: trouble.code)
      }
      if !adapter.isScanning {
        found.present(
          .adapterNotScanning, of: subject, "it does not look for boards; see who stops the scan",
          name: adapter.name)
      }
    }
  }
}

import FleetModel
import Logging
import Storage

/// Looks for alarms, keeps them on the disk and publishes them; what they are, `AlarmRule` and `AlarmBook` decide.
enum AlarmReports {
  /// Takes up what earlier runs knew. What cannot be read begins anew.
  static func restore(_ gateway: isolated Gateway) async {
    do throws(StoreFailure) {
      gateway.documents.alarms.book.restore(try await gateway.environment.store.alarms.all())
    } catch {
      gateway.environment.log.error("the stored alarms cannot be read", metadata: ["reason": "\(error)"])
    }
  }

  /// Looks, where it is time, and publishes what has changed.
  static func publish(_ gateway: isolated Gateway) async {
    if gateway.documents.alarms.takeLook(at: gateway.uptime) {
      let facts = await Self.facts(gateway)
      await announceExpiries(of: facts.gateway.certificates, gateway)
      let found = AlarmRule.findings(facts)
      gateway.documents.alarms.take(found, at: gateway.now, uptime: gateway.uptime)
      // A disk that refuses is an alarm itself; the next look tries again.
      try? await keep(gateway)
    }
    guard let report = gateway.documents.alarms.takeReport(at: gateway.now) else { return }
    await gateway.uplink.deliver([.alarms(report)])
  }

  /// Has the disk know what stands.
  static func keep(_ gateway: isolated Gateway) async throws(StoreFailure) {
    let (rows, gone) = gateway.documents.alarms.book.unsaved
    try await gateway.environment.store.alarms.keep(rows, deleting: gone.map(\.description))
    gateway.documents.alarms.book.wrote(rows, gone: gone)
  }

  private static func facts(_ gateway: isolated Gateway) async -> AlarmFacts {
    var facts = AlarmFacts(at: gateway.now)
    for supervisor in gateway.supervisorsInOrder {
      let status = await supervisor.status
      facts.boards.append(
        AlarmFacts.Board(
          status.state, status.availability,
          name: status.identity.info?.name ?? status.state.board.address.colonSeparated))
    }
    facts.adapters = gateway.documents.adapterReports
    facts.gateway = await gatewayFacts(gateway)
    return facts
  }

  private static func gatewayFacts(_ gateway: isolated Gateway) async -> AlarmFacts.Gateway {
    var facts = AlarmFacts.Gateway()
    let firmware = gateway.services.firmware
    if firmware.isPossible { facts.firmwareTrouble = await firmware.knowledge.trouble }
    facts.isBrokerConnected = await gateway.uplink.isConnected
    facts.brokerTrouble = await gateway.uplink.trouble
    facts.numbers = gateway.documents.health?.numbers ?? [:]
    facts.bluetoothTrouble = gateway.radio.trouble == nil ? nil : gateway.radio.troubleMessage
    facts.storage = gateway.storage.condition
    facts.keptTrouble = gateway.storage.kept.trouble
    facts.troubles = gateway.documents.troubles
    facts.troubles.withheld = gateway.roster.unconfirmed.sorted()
    readCertificates(gateway)
    facts.certificates = gateway.documents.alarms.certificates ?? []
    if let expires = await gateway.uplink.brokerCertificate {
      facts.certificates.append(AlarmFacts.Certificate(file: "of the broker", expires: expires))
    }
    let counters = gateway.counters
    facts.recent = gateway.documents.alarms.recent.take(
      .init(
        samplesIn: counters.value(of: .samplesIn),
        samplesMissing: counters.value(of: .samplesLost) + counters.value(of: .samplesDropped),
        commandsFailed: counters.value(of: .commandsFailed)), at: gateway.uptime)
    return facts
  }

  private static func announceExpiries(
    of certificates: [AlarmFacts.Certificate], _ gateway: isolated Gateway
  ) async {
    for notice in gateway.documents.alarms.expiries.due(certificates, at: gateway.now) {
      gateway.environment.log.warning("\(notice.sentence)")
      await gateway.publish(
        .certificate, notice.hasExpired ? "expired" : "expiring",
        fields: ["days": .integer(Int64(notice.days))], message: notice.sentence)
    }
  }

  private static func readCertificates(_ gateway: isolated Gateway) {
    let uptime = gateway.uptime
    guard gateway.documents.alarms.needsCertificates(at: uptime) else { return }
    let files = gateway.configuration.mqtt.tls.map { gateway.environment.host.certificates($0) } ?? []
    gateway.documents.alarms.take(
      files.map { AlarmFacts.Certificate(file: $0.file, expires: $0.expires) }, at: uptime)
  }
}

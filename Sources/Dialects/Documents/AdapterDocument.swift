package import FleetModel

/// The `adapter/<id>` document of a gateway (MQTT contract 1.7).
package struct AdapterDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ report: AdapterReport, at time: Timestamp, gateway: String) {
    self.init {
      $0[.time] = time
      $0[.gateway] = gateway
      $0[.adapter] = report.id.description
      $0[.name] = report.name
      $0[.state] = report.state
      $0[.slotsUsed] = report.slotsUsed
      $0[.slotsFree] = max(0, report.slotsTotal - report.slotsUsed)
      $0[.slotsTotal] = report.slotsTotal
      $0[.slotsLearned] = report.slotsLearned
      $0[.connecting] = report.connecting?.description
      $0[.waiting] = report.queue.waiting
      $0[.queue] = report.queue.requests.map(Self.json)
      $0[.connected] = report.connected.map(\.description)
      $0[.load] = report.load
      $0[.capacity] = report.capacity
      $0[.isScanning] = report.isScanning
      $0[.scanAge] = report.lastAdvertisement.map {
        (max(.zero, time - $0).inSeconds * 10).rounded() / 10
      }
      $0[.scanReason] = report.scanTrouble?.sentence
      $0[.scanReasonCode] = report.scanTrouble?.code
      $0[.lastSeen] = report.lastSeen
      $0[.resets] = report.resets
      $0[.scanRestarts] = report.scanRestarts
      $0[.connectsOK] = report.connectsOK
      $0[.connectsFailed] = report.connectsFailed
      $0[.lastError] = report.lastError?.sentence
      $0[.reasonCode] = report.lastError?.code
      $0[.lastErrorTime] = report.lastErrorTime
    }
  }
}

extension AdapterDocument {
  private static func json(_ request: ConnectionQueue.Request) -> JSONObject {
    [
      "board": .string(request.board.description), "purpose": .string(request.purpose),
      "since_ms": .integer(request.since.milliseconds),
    ]
  }
}

extension DocumentField where Document == AdapterDocument, Value == [JSONObject] {
  /// Boards that wait for this adapter, the longest waiting first.
  package static var queue: Self { .init("queue") }
}

extension DocumentField where Document == AdapterDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
  package static var lastErrorTime: Self { .init("last_error_ms") }
  /// When a missing adapter was last there.
  package static var lastSeen: Self { .init("last_seen_ms") }
}

extension DocumentField where Document == AdapterDocument, Value == String {
  package static var gateway: Self { .init("gw") }
  package static var adapter: Self { .init("adapter") }
  /// The system's name for it, `hci0`.
  package static var name: Self { .init("name") }
  package static var state: Self { .init("state") }
  /// The board that is being connected.
  package static var connecting: Self { .init("connecting") }
  package static var lastError: Self { .init("last_error") }
  /// What is wrong with its scan now.
  package static var scanReason: Self { .init("scan_reason") }
}

extension DocumentField where Document == AdapterDocument, Value == Int {
  package static var slotsUsed: Self { .init("slots_used") }
  package static var slotsFree: Self { .init("slots_free") }
  package static var slotsTotal: Self { .init("slots_total") }
  package static var slotsLearned: Self { .init("slots_learned") }
  package static var waiting: Self { .init("waiting") }
  package static var resets: Self { .init("resets") }
  package static var scanRestarts: Self { .init("scan_restarts") }
  package static var connectsOK: Self { .init("connects_ok") }
  package static var connectsFailed: Self { .init("connects_failed") }
}

extension DocumentField where Document == AdapterDocument, Value == [String] {
  package static var connected: Self { .init("connected") }
}

extension DocumentField where Document == AdapterDocument, Value == Bool {
  package static var isScanning: Self { .init("scanning") }
}

extension DocumentField where Document == AdapterDocument, Value == Double {
  /// Seconds since the last advertisement.
  package static var scanAge: Self { .init("scan_age_s") }
  /// Packets a second that are asked of its links, and that they carry.
  package static var load: Self { .init("load_packets_per_s") }
  package static var capacity: Self { .init("capacity_packets_per_s") }
}

extension DocumentField where Document == AdapterDocument, Value == ReasonCode {
  /// Of the last error.
  package static var reasonCode: Self { .init("reason_code") }
  package static var scanReasonCode: Self { .init("scan_reason_code") }
}

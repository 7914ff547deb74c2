package import FleetModel

/// The `info` document of a gateway (MQTT contract 1.6).
package struct GatewayInfoDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ info: GatewayInfo, gateway: String) {
    self.init {
      $0[.format] = 1
      $0[.changed] = info.changed
      $0[.gateway] = gateway
      $0[.site] = info.site
      $0[.version] = info.version
      $0[.host] = info.host
      $0[.operatingSystem] = info.operatingSystem
      $0[.mqttProtocol] = info.mqttProtocol
      $0[.configurationHash] = info.configurationHash
      $0[.configurationError] = info.troubles.configurationError
      if !info.troubles.withheld.isEmpty { $0[.withheld] = info.troubles.withheld }
      if !info.troubles.refusedTopics.isEmpty { $0[.refusedTopics] = info.troubles.refusedTopics }
      $0[.refusalReason] = info.troubles.refusalReason
      if !info.troubles.refusedSubscriptions.isEmpty {
        $0[.refusedSubscriptions] = info.troubles.refusedSubscriptions
      }
      $0[.replacedDatabase] = info.troubles.replacedDatabase
      $0[.lastCrash] = info.lastCrash.map { CrashDocument($0).json }
      $0[.started] = info.started
      $0[.drained] = info.drained
      $0[.adapters] = info.adapters.map(\.description)
      $0[.boards] = info.boards.map(\.description)
      $0[.admission] = info.admissionMode
      $0[.verbs] = info.verbs
    }
  }
}

extension DocumentField where Document == GatewayInfoDocument, Value == Int {
  static var format: Self { .init("v") }
}

extension DocumentField where Document == GatewayInfoDocument, Value == Timestamp {
  package static var changed: Self { .init("ts_ms") }
  package static var started: Self { .init("started_ms") }
  /// Since when it is drained; left out where it is not.
  package static var drained: Self { .init("drained_since_ms") }
}

extension DocumentField where Document == GatewayInfoDocument, Value == String {
  package static var gateway: Self { .init("gateway") }
  package static var site: Self { .init("site") }
  package static var version: Self { .init("version") }
  package static var host: Self { .init("host") }
  package static var operatingSystem: Self { .init("os") }
  package static var mqttProtocol: Self { .init("mqtt_protocol") }
  package static var configurationHash: Self { .init("config_hash") }
  package static var configurationError: Self { .init("config_error") }
  package static var admission: Self { .init("admission") }
  /// Why the broker refused the last of them.
  package static var refusalReason: Self { .init("refused_reason") }
  /// Where the damaged database lies.
  package static var replacedDatabase: Self { .init("replaced_database") }
}

extension DocumentField where Document == GatewayInfoDocument, Value == [BoardID] {
  /// Boards that are left alone until somebody confirms that they go.
  package static var withheld: Self { .init("withheld") }
}

extension DocumentField where Document == GatewayInfoDocument, Value == JSONObject {
  /// See `CrashDocument`.
  package static var lastCrash: Self { .init("last_crash") }
}

extension DocumentField where Document == GatewayInfoDocument, Value == [String] {
  package static var refusedTopics: Self { .init("refused_topics") }
  /// Topics that the broker does not let the gateway hear.
  package static var refusedSubscriptions: Self { .init("refused_subscriptions") }
  package static var adapters: Self { .init("adapters") }
  package static var boards: Self { .init("boards") }
  package static var verbs: Self { .init("verbs") }
}

/// The `health` document of a gateway (MQTT contract 1.6).
package struct HealthDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ metrics: [Metric: Double], at time: Timestamp, storage: StorageCondition, gateway: String) {
    self.init {
      $0[.time] = time
      $0[.gateway] = gateway
      for metric in Metric.allCases { $0[metric] = metrics[metric] ?? 0 }
      $0[.storage] = storage
    }
  }

  /// One of its numbers.
  package internal(set) subscript(metric: Metric) -> Double? {
    get { self[.init(metric.rawValue) as DocumentField<Self, Double>] }
    set { self[.init(metric.rawValue) as DocumentField<Self, Double>] = newValue }
  }
}

extension DocumentField where Document == HealthDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
}

extension DocumentField where Document == HealthDocument, Value == String {
  package static var gateway: Self { .init("gw") }
  /// The condition as it was written, also one that this version does not know.
  package static var storageWord: Self { .init("storage") }
}

extension DocumentField where Document == HealthDocument, Value == StorageCondition {
  package static var storage: Self { .init("storage") }
}

import FleetModel

/// The documents of the MQTT contract, section 1, 3.1 and 5, as objects.
struct PlainDocuments: Sendable {
  let gateway: String

  func gatewayAvailability(
    _ state: String, birth: Int, since: Timestamp? = nil, reason: String? = nil
  ) -> JSONObject {
    var document: JSONObject = ["state": .string(state), "birth": .integer(Int64(birth))]
    document["since_ms"] = since.json
    document["reason"] = reason.json
    return document
  }

  func info(_ info: BoardInfo) -> JSONObject {
    var document: JSONObject = [
      "v": 1, "ts_ms": .integer(info.changed.milliseconds), "board": .string(info.board.description),
      "gw": .string(gateway), "address": .string(info.board.address.colonSeparated),
      "family": .string(info.family), "name": .string(info.name),
    ]
    document["site"] = info.site.json
    document["profile"] = info.profile.json
    document["groups"] = .array(info.groups.map { .string($0) })
    document["labels"] = .object(JSONObject(info.labels.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
    document["verbs"] = .array(info.verbs.map { .string($0) })
    guard let description = info.description else { return document }
    document["model"] = .string(description.model)
    document["model_id"] = .string(description.modelNumber)
    document["manufacturer"] = .string(description.manufacturer)
    document["serial"] = .string(description.serialNumber)
    document["hw"] = .string(description.hardwareRevision)
    document["fw"] = .string(description.firmwareRevision)
    document["imu"] = description.imu.json
    document["modules"] = .object(
      JSONObject(description.modules.sorted { $0.value.id < $1.value.id }.map { ($0, .object(module($1))) }))
    document["slots"] = .object(slots(description.slots))
    var streams = JSONObject(
      description.streams.compactMap { offered in
        StreamCatalogue.find(offered.name).map { (offered.name, .object(stream($0.stream, offered.offers))) }
      })
    // A chain may bear the name of a detector; it is the one that can be streamed then.
    for chain in info.chains { streams[chain.name] = .object(stream(chain.definition, [:])) }
    document["streams"] = .object(streams)
    document["interviewed_ms"] = info.interviewed.json
    return document
  }

  private func module(_ module: BoardDescription.Module) -> JSONObject {
    var document: JSONObject = ["id": .integer(Int64(module.id)), "present": .bool(module.isPresent)]
    guard module.isPresent else { return document }
    document["implementation"] = module.implementation.map { .integer(Int64($0)) }
    document["revision"] = module.revision.map { .integer(Int64($0)) }
    document["extra"] = .string(Hex.string(module.extra))
    return document
  }

  private func slots(_ slots: BoardDescription.Slots) -> JSONObject {
    var document = JSONObject()
    document["loggers"] = slots.loggers.json
    document["processors"] = slots.processors.json
    document["events"] = slots.events.json
    document["timers"] = slots.timers.json
    document["macros"] = slots.macros.json
    document["log_entries"] = slots.logEntries.json
    return document
  }

  private func stream(_ stream: StreamDefinition, _ offers: JSONObject) -> JSONObject {
    var document: JSONObject = [
      "fields": .array(
        stream.fields.map {
          ["name": .string($0.name), "unit": .string($0.unit), "type": .string($0.kind.rawValue)]
        }),
      "via": .string(stream.outlet.rawValue), "streamable": .bool(stream.isStreamable),
      "loggable": .bool(stream.isLoggable), "readable": .bool(stream.isReadable),
      "modules": [.string(stream.module)],
    ]
    if !stream.components.isEmpty { document["components"] = .array(stream.components.map { .string($0) }) }
    document["entries"] = stream.logEntries.json
    if !offers.isEmpty { document["offers"] = .object(offers) }
    return document
  }

  func availability(_ availability: Availability) -> JSONObject {
    [
      "state": .string(availability.state.rawValue), "reason": .string(availability.reason.rawValue),
      "since_ms": .integer(availability.since.milliseconds), "gw": .string(gateway),
    ]
  }

  func state(_ state: BoardState) -> JSONObject {
    var document: JSONObject = [
      "ts_ms": .integer(state.time.milliseconds), "board": .string(state.board.description),
      "gw": .string(gateway), "link": .string(state.link.rawValue),
    ]
    document["reason"] = (state.reason?.sentence).json
    document["reason_code"] = (state.reason?.code.rawValue).json
    document["adapter"] = state.adapter.map { .string($0.description) }
    document["rssi_dbm"] = state.rssi.json
    document["battery_pct"] = state.battery.percent.json
    document["battery_mv"] = state.battery.millivolts.json
    document["battery_ms"] = state.battery.time.json
    document["charging"] = state.battery.isCharging.map { .bool($0) }
    document["log_used_pct"] = state.log.usedPercent.map { .number($0) }
    document["log_entries"] = state.log.entries.json
    document["log_full_ms"] = state.log.full.json
    document["last_seen_ms"] = state.contact.lastSeen.json
    document["last_session_ms"] = state.contact.lastSession.json
    document["next_contact_ms"] = state.contact.next.json
    document["sessions_24h"] = .integer(Int64(state.lastDay.sessions))
    document["session_fail_24h"] = .integer(Int64(state.lastDay.sessionFailures))
    document["samples_lost_24h"] = .integer(Int64(state.lastDay.samplesLost))
    document["commands_waiting"] = .integer(Int64(state.commandsWaiting))
    document["clock_err_ms"] = state.clock.error.map { .number($0) }
    document["drift_ppm"] = state.clock.drift.map { .number($0) }
    document["boot"] = state.clock.boot.json
    document["in_sync"] = state.isInSync.map { .bool($0) }
    document["fw"] = state.firmware.json
    let trouble = StreamTrouble.told(state.troubles)
    document["stream_reason"] = (trouble?.sentence).json
    document["stream_reason_code"] = (trouble?.code.rawValue).json
    return document
  }

  func led(_ state: LEDState) -> JSONObject {
    guard let appearance = state.appearance else {
      return ["state": "OFF", "ts_ms": .integer(state.time.milliseconds)]
    }
    let (color, brightness) = normalised(appearance)
    var document: JSONObject = [
      "state": "ON", "ts_ms": .integer(state.time.milliseconds), "color_mode": "rgb",
      "color": .object(color), "brightness": .integer(brightness),
      "effect": .string(appearance.effect),
    ]
    document["until_ms"] = state.until.json
    return document
  }

  /// The largest part of the colour becomes 255, and what that adds is taken from the brightness.
  private func normalised(_ appearance: LEDAppearance) -> (color: JSONObject, brightness: Int64) {
    let color = appearance.color
    let largest = max(color.red, color.green, color.blue)
    func part(_ value: UInt8) -> JSONValue {
      largest == 0 ? 0 : .integer(Int64((Double(value) * 255 / Double(largest)).rounded()))
    }
    return (
      ["r": part(color.red), "g": part(color.green), "b": part(color.blue)],
      Int64((Double(appearance.brightness) * Double(largest) / 255).rounded())
    )
  }

  func gatewayInfo(_ info: GatewayInfo) -> JSONObject {
    var document: JSONObject = [
      "v": 1, "ts_ms": .integer(info.changed.milliseconds), "gateway": .string(gateway),
    ]
    document["site"] = info.site.json
    document["version"] = .string(info.version)
    document["host"] = .string(info.host)
    document["os"] = .string(info.operatingSystem)
    document["mqtt_protocol"] = .string(info.mqttProtocol)
    document["config_hash"] = .string(info.configurationHash)
    document["started_ms"] = .integer(info.started.milliseconds)
    document["adapters"] = .array(info.adapters.map { .string($0.description) })
    document["boards"] = .array(info.boards.map { .string($0.description) })
    document["admission"] = .string(info.admissionMode)
    document["verbs"] = .array(info.verbs.map { .string($0) })
    return document
  }

  func health(
    _ metrics: [Metric: Double], at time: Timestamp, storage: StorageCondition = .fine
  ) -> JSONObject {
    var document: JSONObject = ["ts_ms": .integer(time.milliseconds), "gw": .string(gateway)]
    for metric in Metric.allCases { document[metric.rawValue] = .number(metrics[metric] ?? 0) }
    document["storage"] = .string(storage.rawValue)
    return document
  }

  func adapter(_ report: AdapterReport, at time: Timestamp) -> JSONObject {
    var document: JSONObject = [
      "ts_ms": .integer(time.milliseconds), "gw": .string(gateway), "adapter": .string(report.id.description),
      "name": .string(report.name), "state": .string(report.state),
      "slots_used": .integer(Int64(report.slotsUsed)),
      "slots_free": .integer(Int64(max(0, report.slotsTotal - report.slotsUsed))),
      "slots_total": .integer(Int64(report.slotsTotal)),
    ]
    document["slots_learned"] = report.slotsLearned.json
    document["connecting"] = report.connecting.map { .string($0.description) }
    document["waiting"] = .integer(Int64(report.waiting))
    document["connected"] = .array(report.connected.map { .string($0.description) })
    document["scanning"] = .bool(report.isScanning)
    if let heard = report.lastAdvertisement {
      document["scan_age_s"] = .number((max(.zero, time - heard).inSeconds * 10).rounded() / 10)
    }
    document["resets"] = .integer(Int64(report.resets))
    document["connects_ok"] = .integer(Int64(report.connectsOK))
    document["connects_failed"] = .integer(Int64(report.connectsFailed))
    document["last_error"] = (report.lastError?.sentence).json
    document["reason_code"] = (report.lastError?.code.rawValue).json
    document["last_error_ms"] = report.lastErrorTime.json
    return document
  }

  func event(_ happening: Happening) -> JSONObject {
    var document: JSONObject = [
      "ts_ms": .integer(happening.time.milliseconds), "event_id": .string(happening.id.description),
      "kind": .string(happening.kind.rawValue), "event_type": .string(happening.type),
    ]
    if case .board(let board) = happening.subject { document["board"] = .string(board.description) }
    document["gw"] = .string(gateway)
    document = document.merging(happening.fields)
    document["message"] = happening.message.json
    return document
  }
}

extension Optional where Wrapped == Int { var json: JSONValue? { map { .integer(Int64($0)) } } }
extension Optional where Wrapped == String { var json: JSONValue? { map { .string($0) } } }
extension Optional where Wrapped == Timestamp { var json: JSONValue? { map { .integer($0.milliseconds) } } }

import FleetModel

@testable import Dialects

/// Which topics there are and which keys their documents hold, from the declarations the gateway publishes by.
struct TopicContract {
  /// Keys by topic, of one gateway and one board.
  let channels: [String: Set<String>]

  /// Keys common to all topics that `filter` matches; nil when it matches none.
  func keys(of filter: String) -> Set<String>? {
    let matched = channels.filter { Self.matches(filter, topic: $0.key) }.map(\.value)
    guard let first = matched.first else { return nil }
    return matched.dropFirst().reduce(first) { $0.intersection($1) }
  }

  /// Keys of any of the topics that `filter` matches.
  func keysOfAny(_ filter: String) -> Set<String> {
    channels.filter { Self.matches(filter, topic: $0.key) }.values.reduce(into: []) { $0.formUnion($1) }
  }

  /// Whether an MQTT filter matches, with any board and gateway in the place of any other.
  static func matches(_ filter: String, topic: String) -> Bool {
    let levels = filter.split(separator: "/", omittingEmptySubsequences: false).map(wildcard)
    let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
    return levels.count == parts.count && zip(levels, parts).allSatisfy { $0 == "+" || $0 == $1 }
  }

  private static func wildcard(_ level: Substring) -> Substring {
    level.hasPrefix("${") || BoardID(level) != nil ? "+" : level
  }

  static let ours: TopicContract = {
    let topics = TopicTree(base: "metafleet", gateway: "demo")
    var channels: [String: Set<String>] = [:]
    guard let board = BoardID("c0ffee000001") else { return TopicContract(channels: channels) }
    let gateway = "demo"
    let now = Timestamp(milliseconds: 1)

    channels[topics.board(board, .state)] = Set(
      BoardStateDocument(fullState(of: board, at: now), gateway: gateway).json.keys)
    channels[topics.board(board, .availability)] = Set(
      AvailabilityDocument(Availability(reason: .connected, since: now), gateway: gateway).json.keys)
    for stream in SampleContract.streams {
      channels[topics.board(board, .live, stream.name)] = Set(
        ["ts_ms", "seq", "board", "stream", "gw", "quality", "quality_reasons"] + stream.fields.map(\.name))
      let keys = Set(SampleContract.batch(of: stream).members.keys)
      for lane in [TopicTree.Lane.record, .log] { channels[topics.board(board, lane, stream.name)] = keys }
      channels[topics.board(board, .lp, stream.name)] = SampleContract.columns(of: stream)
    }
    channels[topics.gatewayAvailability] = Set(
      GatewayAvailabilityDocument(isOnline: true, birth: 1, since: now, reason: "").json.keys)
    channels[topics.gatewayHealth] = Set(
      HealthDocument([:], at: now, storage: .fine, gateway: gateway).json.keys)
    for kind in EventKind.allCases {
      let fields = Set(["ts_ms", "event_id", "kind", "event_type", "gw", "message"] + kind.fields)
      channels[topics.event(kind, of: .board(board))] = fields.union(["board", "maintenance"])
      channels[topics.event(kind, of: .gateway)] = fields
    }
    for verb in VerbCatalogue.names(for: .board) {
      channels[topics.reply(to: .board(board), verb)] = replyKeys(to: board, gateway)
      channels[topics.command(to: .board(board), verb)] = ["id", "args", "mode", "expires_ms", "issued_ms"]
    }
    // What simulated boards say beside the gateway; in documents of the simulator.
    channels["metafleet/simulator/do"] = ["lines", "id"]
    channels["metafleet/simulator/done"] = ["line", "id", "ok", "at_s", "boards", "error"]
    return TopicContract(channels: channels)
  }()

  static func fullState(of board: BoardID, at now: Timestamp) -> BoardState {
    var state = BoardState(board: board, link: .streaming, time: now)
    state.reason = StatedReason(.other, "")
    state.adapter = AdapterID(board.address)
    (state.rssi, state.battery.percent, state.battery.millivolts, state.clock.boot) = (0, 0, 0, 0)
    (state.battery.time, state.contact.lastSeen, state.contact.lastSession, state.contact.next) = (
      now, now, now, now
    )
    (state.battery.isCharging, state.clock.error, state.identity.firmware, state.isInSync) = (
      false, 0, "", true
    )
    (state.log.usedPercent, state.log.entries, state.log.full, state.clock.drift) = (0, 0, now, 0)
    state.troubles = [StreamTrouble("acceleration", StatedReason(.streamSilent, ""))]
    state.orders.maintenance = Maintenance(until: now, reason: "", who: "")
    return state
  }

  private static func replyKeys(to board: BoardID, _ gateway: String) -> Set<String> {
    let stages: [CommandReply.Stage] = [
      .queued(eta: Timestamp(milliseconds: 1)), .progress(percent: 0, eta: nil),
      .final(.done(evidence: .readback, data: ["playing": true]), took: .zero),
      .final(.failed(CommandFailure(.busy, "", retryAfter: .zero)), took: .zero),
    ]
    return stages.reduce(into: []) { keys, stage in
      let reply = CommandReply(
        id: "1", target: .board(board), verb: "led", stage: stage, time: Timestamp(milliseconds: 1))
      keys.formUnion(ReplyDocument(reply, gateway: gateway).json.keys)
    }
  }
}

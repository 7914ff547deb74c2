import FleetModel

/// What verbs changed about a board's streams, laid over its profile. Survives links, resets and restarts; an entry
/// ends by the opposite verb or by its time (MQTT contract 1.5).
struct StreamOverlay: Hashable, Sendable {
  struct Start: Hashable, Sendable {
    var request: StreamRequest
    var until: Timestamp?
  }

  /// Streams that verbs started or reconfigured.
  private(set) var started: [String: Start] = [:]
  /// Streams of the profile that verbs stopped.
  private(set) var stopped: Set<String> = []

  init() {}

  var isEmpty: Bool { started.isEmpty && stopped.isEmpty }

  mutating func start(_ request: StreamRequest, until: Timestamp?, profile: [String: StreamRequest]) {
    stopped.remove(request.name)
    if profile[request.name] == request && until == nil {
      started[request.name] = nil
    } else {
      started[request.name] = Start(request: request, until: until)
    }
  }

  /// Stops one stream, or all when `name` is nil. Returns the streams that were wanted and no longer are.
  mutating func stop(_ name: String?, profile: [String: StreamRequest]) -> [String] {
    let wanted = Set(streams(over: profile).keys)
    let ended = name.map { wanted.contains($0) ? [$0] : [] } ?? wanted.sorted()
    for stream in ended {
      started[stream] = nil
      if profile[stream] != nil { stopped.insert(stream) }
    }
    return ended
  }

  /// Drops what was said of a stream that is no more.
  mutating func forget(_ name: String) {
    started[name] = nil
    stopped.remove(name)
  }

  /// Drops what has run its time. Returns whether anything did.
  mutating func expire(at now: Timestamp) -> Bool {
    let due = started.filter { $0.value.until.map { $0 <= now } ?? false }
    for name in due.keys { started[name] = nil }
    return !due.isEmpty
  }

  /// Streams that verbs changed.
  var names: [String] { Set(started.keys).union(stopped).sorted() }

  /// When the next entry runs out.
  var nextExpiry: Timestamp? { started.values.compactMap(\.until).min() }

  /// What is wanted in all.
  func streams(over profile: [String: StreamRequest]) -> [String: StreamRequest] {
    profile.filter { !stopped.contains($0.key) }.merging(started.mapValues(\.request)) { _, ours in ours }
  }
}

extension StreamOverlay {
  /// As kept on disk.
  var document: JSONObject {
    [
      "started": .object(
        JSONObject(
          started.sorted { $0.key < $1.key }.map { name, start in
            var entry: JSONObject = ["config": .object(start.request.configuration)]
            entry["until_ms"] = start.until.map { .integer($0.milliseconds) }
            return (name, .object(entry))
          })),
      "stopped": .array(stopped.sorted().map { .string($0) }),
    ]
  }

  /// Reads what was kept; entries that are neither in the catalogue nor may be a chain's are dropped.
  init(document: JSONObject) {
    for (name, entry) in document["started"]?.object?.members ?? [] {
      guard StreamCatalogue.find(name) != nil || ChainStream.isName(name),
        let configuration = entry.object?["config"]?.object
      else { continue }
      started[name] = Start(
        request: StreamRequest(name: name, configuration: configuration),
        until: entry.object?["until_ms"]?.integer.map { Timestamp(milliseconds: $0) })
    }
    stopped = Set((document["stopped"]?.array ?? []).compactMap(\.string))
  }
}

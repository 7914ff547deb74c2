import FleetModel

/// What verbs changed about what a board logs, laid over its profile. Survives links, resets and restarts (MQTT
/// contract 1.5, 3.5).
struct LogOverlay: Hashable, Sendable {
  /// Streams that verbs have the board log, or log otherwise.
  private(set) var started: [String: StreamRequest] = [:]
  /// Streams of the profile that verbs stopped.
  private(set) var stopped: Set<String> = []
  /// Whether logging is off altogether, until a verb has it on again.
  private(set) var isOff = false
  /// Whether the oldest entries give way; nil = as the profile says.
  private(set) var isCircular: Bool?

  init() {}

  var isEmpty: Bool { self == LogOverlay() }

  /// Takes note of a command that was done.
  mutating func note(_ command: LogCommand, profile: [String: StreamRequest]) {
    switch command {
    case .start(let requests, let isCircular, _):
      // What was stopped with all the rest does not come back with one.
      if isOff { (started, stopped, isOff) = ([:], Set(profile.keys), false) }
      for request in requests {
        stopped.remove(request.name)
        started[request.name] = profile[request.name] == request ? nil : request
      }
      self.isCircular = isCircular ?? self.isCircular
    case .stop(nil): isOff = true
    case .stop(let names?):
      for name in names {
        started[name] = nil
        if profile[name] != nil { stopped.insert(name) }
      }
    case .download(let resume, _): isOff = resume.map { !$0 } ?? isOff
    case .status, .clear, .removeLoggers: break
    }
  }

  /// Drops what was said of a stream that is no more.
  mutating func forget(_ name: String) {
    started[name] = nil
    stopped.remove(name)
  }

  /// Streams that verbs changed. `profile` is what it says without them.
  func names(over profile: [String: StreamRequest]) -> [String] {
    Set(started.keys).union(stopped).union(isOff ? Set(profile.keys) : []).sorted()
  }

  /// What is wanted in all.
  func logs(over profile: [String: StreamRequest]) -> [String: StreamRequest] {
    if isOff { return [:] }
    return profile.filter { !stopped.contains($0.key) }.merging(started) { _, ours in ours }
  }
}

extension LogOverlay {
  /// As kept on disk.
  var document: JSONObject {
    var document: JSONObject = [
      "started": .object(
        JSONObject(started.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value.configuration)) })),
      "stopped": .array(stopped.sorted().map { .string($0) }), "off": .bool(isOff),
    ]
    document["circular"] = isCircular.map { .bool($0) }
    return document
  }

  /// Reads what was kept; entries that are neither in the catalogue nor may be a chain's are dropped.
  init(document: JSONObject) {
    for (name, value) in document["started"]?.object?.members ?? [] {
      guard StreamCatalogue.find(name) != nil || ChainStream.isName(name), let configuration = value.object
      else { continue }
      started[name] = StreamRequest(name: name, configuration: configuration)
    }
    stopped = Set((document["stopped"]?.array ?? []).compactMap(\.string))
    isOff = document["off"]?.bool ?? false
    isCircular = document["circular"]?.bool
  }
}

/// Where and how long things are kept.
public struct StorageConfiguration: Hashable, Sendable {
  /// nil = by environment.
  public var directory: String?
  /// Bytes of free space below which streams are no longer spooled.
  public var minimumFree: Int64 = 200_000_000
  /// Bytes and age of the outbox beyond which the oldest records become gaps.
  public var outboxMaximumSize: Int64 = 1_000_000_000
  /// Age of the outbox beyond which the oldest records become gaps.
  public var outboxMaximumAge = Duration.seconds(7 * 86_400)
  /// Messages per second while catching up.
  public var drainPerSecond = 500
  /// How long delivered messages stay replayable.
  public var replay = Duration.seconds(86_400)
  /// Events and ends of commands that the history keeps at most.
  public var historyMaximumEvents = 100_000
  /// How long the history keeps them at most.
  public var historyMaximumAge = Duration.seconds(30 * 86_400)
  /// Which streamed samples are kept, and how many.
  public var streams = KeptStreamsConfiguration()

  /// How long the delivered archive of logs is kept.
  public var retain = Duration.seconds(30 * 86_400)
  /// Bytes of the delivered archive of logs beyond which its oldest part goes.
  public var maximumSize: Int64 = 2_000_000_000

  /// All defaults.
  public init() {}
}

/// As the section `storage` of the file says it.
extension StorageConfiguration {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    let outbox = document["outbox"]?.object ?? [:]
    directory = document["directory"]?.string
    minimumFree = document["min_free"]?.size ?? minimumFree
    outboxMaximumSize = outbox["max_size"]?.size ?? outboxMaximumSize
    outboxMaximumAge = outbox["max_age"]?.duration ?? outboxMaximumAge
    drainPerSecond = outbox["drain_per_s"]?.integer.map { Int($0) } ?? drainPerSecond
    replay = document["replay"]?.duration ?? replay
    let history = document["history"]?.object ?? [:]
    historyMaximumEvents = history["max_events"]?.integer.map { Int($0) } ?? historyMaximumEvents
    historyMaximumAge = history["max_age"]?.duration ?? historyMaximumAge
    streams = KeptStreamsConfiguration(document: document["streams"]?.object ?? [:])
    retain = document["retain"]?.duration ?? retain
    maximumSize = document["max_size"]?.size ?? maximumSize
  }

  /// Its keys.
  var document: JSONObject {
    let outbox: JSONObject = [
      "max_size": .size(outboxMaximumSize), "max_age": .duration(outboxMaximumAge),
      "drain_per_s": .integer(Int64(drainPerSecond)),
    ]
    var document: JSONObject = ["min_free": .size(minimumFree), "outbox": .object(outbox)]
    document["directory"] = directory.map { .string($0) }
    document["replay"] = .duration(replay)
    document["history"] = [
      "max_events": .integer(Int64(historyMaximumEvents)), "max_age": .duration(historyMaximumAge),
    ]
    document["streams"] = .object(streams.document)
    document["retain"] = .duration(retain)
    document["max_size"] = .size(maximumSize)
    return document
  }
}

/// Which streamed samples the gateway keeps for `metafleet export`, and how many (configuration `storage.streams`).
public struct KeptStreamsConfiguration: Hashable, Sendable {
  /// How long samples are kept; nil: none are, and those that are there stay as long as logs do.
  public var keep: Duration?
  /// Bytes beyond which the oldest go before their time.
  public var maximumSize: Int64 = 500_000_000
  /// Names of the streams that are kept; empty: all.
  public var only: [String] = []
  /// Boards whose streams are kept; empty: all.
  public var boards: [BoardID] = []

  /// All defaults: nothing is kept.
  public init() {}

  /// Whether the samples of that stream are kept.
  public func keeps(_ stream: String, of board: BoardID) -> Bool {
    keep != nil && (only.isEmpty || only.contains(stream)) && (boards.isEmpty || boards.contains(board))
  }
}

/// As the section `storage.streams` of the file says it.
extension KeptStreamsConfiguration {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    // `none` is no duration.
    keep = document["keep"]?.duration
    maximumSize = document["max_size"]?.size ?? maximumSize
    only = document["only"]?.array?.compactMap(\.string) ?? only
    boards = document["boards"]?.array?.compactMap { $0.string.flatMap { BoardID($0) } } ?? boards
  }

  /// Its keys.
  var document: JSONObject {
    [
      "keep": keep.map { JSONValue.duration($0) } ?? "none", "max_size": .size(maximumSize),
      "only": .array(only.map { .string($0) }), "boards": .array(boards.map { .string($0.description) }),
    ]
  }
}

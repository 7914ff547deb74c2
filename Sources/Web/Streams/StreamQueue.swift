import FleetModel

/// What somebody who watches a gateway has not taken yet: of documents and live samples the latest of each topic, of
/// events and replies all. Whoever is too far behind gets no live samples any more, and if that does not do, the end of
/// the stream: then a new one begins with all documents (fault F239). Pure.
struct StreamQueue: Sendable {
  /// Bytes that may wait.
  static let mostBytes = 1 << 20
  /// How long nothing may be sent: the comment then tells both ends that the other one is there.
  static let comment = Array(":\n\n".utf8)

  private struct Entry {
    var frame: [UInt8]
    var isLive: Bool
    /// Its topic, where a later one takes its place.
    var topic: String?
  }

  private let boards: Set<BoardID>
  /// By ever larger numbers; what was skipped is missing.
  private var entries: [Int: Entry] = [:]
  private var first = 0
  private var next = 0
  private var places: [String: Int] = [:]
  private var current: ArraySlice<UInt8> = []
  private(set) var bytes = 0
  private(set) var isOver = false

  /// `boards` are those whose live samples are wanted.
  init(live boards: Set<BoardID>) { self.boards = boards }

  var isEmpty: Bool { current.isEmpty && entries.isEmpty }

  func wants(_ message: StreamMessage) -> Bool {
    if case .live(let board) = message.kind { !isOver && boards.contains(board) } else { !isOver }
  }

  /// Takes a message that it wants, as `frame`.
  mutating func add(_ message: StreamMessage, _ frame: [UInt8]) {
    var isLive = false
    if case .live = message.kind { isLive = true }
    let topic = message.isReplaced ? message.topic : nil
    if let topic, let place = places[topic], let old = entries[place] {
      bytes += frame.count - old.frame.count
      entries[place]?.frame = frame
    } else {
      entries[next] = Entry(frame: frame, isLive: isLive, topic: topic)
      if let topic { places[topic] = next }
      next += 1
      bytes += frame.count
    }
    if bytes > Self.mostBytes { shorten() }
  }

  /// Says that it is there.
  mutating func addComment() {
    guard !isOver, isEmpty else { return }
    current = Self.comment[...]
    bytes += current.count
  }

  private mutating func shorten() {
    for (place, entry) in entries where entry.isLive { remove(place, entry) }
    guard bytes > Self.mostBytes else { return }
    self = StreamQueue(live: boards)
    isOver = true
  }

  private mutating func remove(_ place: Int, _ entry: Entry) {
    entries[place] = nil
    if let topic = entry.topic { places[topic] = nil }
    bytes -= entry.frame.count
  }

  /// The next bytes, at most so many.
  mutating func take(atMost limit: Int) -> ArraySlice<UInt8> {
    while current.isEmpty, first < next {
      if let entry = entries[first] {
        remove(first, entry)
        current = entry.frame[...]
        bytes += current.count
      }
      first += 1
    }
    let piece = current.prefix(limit)
    current = current.dropFirst(piece.count)
    bytes -= piece.count
    return piece
  }
}

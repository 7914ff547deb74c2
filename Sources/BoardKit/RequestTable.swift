/// How to recognise the packet that answers a question: its first bytes.
public struct AnswerPattern: Hashable, Sendable {
  /// The bytes an answer begins with; several where boards answer in more than one form.
  public var prefixes: [[UInt8]]
  /// The question in words, for messages.
  public var question: String

  /// Recognises packets that begin with one of `prefixes`.
  public init(_ prefixes: [[UInt8]], _ question: String) {
    self.prefixes = prefixes
    self.question = question
  }

  /// No packet at all: waits for the end of the link.
  static let linkEnd = AnswerPattern([], "the end of the link")

  /// No packet either: waits for what a driver makes of packets.
  static let progress = AnswerPattern([], "progress")

  func matches(_ packet: RawSpan) -> Bool {
    prefixes.contains { prefix in
      prefix.count <= packet.byteCount
        && prefix.indices.allSatisfy { packet.unsafeLoad(fromByteOffset: $0, as: UInt8.self) == prefix[$0] }
    }
  }
}

/// Who waits for which answer until when. The oldest question of those that match gets the packet.
struct RequestTable {
  struct Ticket: Hashable { let number: Int }

  private struct Entry {
    let ticket: Ticket
    let pattern: AnswerPattern
    let deadline: Duration
    let limit: Duration
    var answer: [UInt8]?
  }

  private var entries: [Entry] = [] {
    didSet { isEmpty = entries.isEmpty }
  }
  private var issued = 0

  /// Kept, because every packet asks for it and the list is elsewhere in memory.
  private(set) var isEmpty = true

  mutating func add(_ pattern: AnswerPattern, at uptime: Duration, limit: Duration) -> Ticket {
    issued += 1
    let ticket = Ticket(number: issued)
    entries.append(Entry(ticket: ticket, pattern: pattern, deadline: uptime + limit, limit: limit))
    return ticket
  }

  /// Whether the question is still open.
  func contains(_ ticket: Ticket) -> Bool { entries.contains { $0.ticket == ticket } }

  mutating func remove(_ ticket: Ticket) { entries.removeAll { $0.ticket == ticket } }

  /// Finds the oldest unanswered question `packet` answers and keeps the answer with it.
  mutating func match(_ packet: RawSpan) -> (Ticket, [UInt8])? {
    guard let index = entries.firstIndex(where: { $0.answer == nil && $0.pattern.matches(packet) }) else {
      return nil
    }
    let bytes = packet.withUnsafeBytes { Array($0) }
    entries[index].answer = bytes
    return (entries[index].ticket, bytes)
  }

  /// Takes an answer that came before its asker began to wait, and closes the question.
  mutating func takeAnswer(_ ticket: Ticket) -> [UInt8]? {
    guard let index = entries.firstIndex(where: { $0.ticket == ticket && $0.answer != nil }) else {
      return nil
    }
    return entries.remove(at: index).answer
  }

  /// Removes the questions whose deadline has passed.
  mutating func expire(at uptime: Duration) -> [(ticket: Ticket, pattern: AnswerPattern, limit: Duration)] {
    guard entries.contains(where: { $0.deadline <= uptime }) else { return [] }
    let late = entries.filter { $0.deadline <= uptime && $0.answer == nil }
    entries.removeAll { $0.deadline <= uptime && $0.answer == nil }
    return late.map { ($0.ticket, $0.pattern, $0.limit) }
  }
}

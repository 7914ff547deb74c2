import FleetModel

/// What a path leads to. Pure.
enum Route: Hashable, Sendable {
  case page(Page)
  case file(PageFile)
  /// What happens from now on, with live samples of these boards.
  case stream(live: Set<BoardID>)
  case command
  case ask(Question)

  /// More boards are not watched at a time.
  static let mostLiveBoards = 64

  static let commandPath = "/api/command"
  private static let streamPath = "/api/stream"
  private static let sessionsPath = "/api/sessions"
  private static let eventsPath = "/api/events"
  private static let sessionPath = "/api/session/"

  /// Whether somebody may come here by a link.
  var isDocument: Bool {
    switch self {
    case .page(.status): true
    case .file(let file): file.path == "/"
    case .page, .stream, .command, .ask: false
    }
  }

  /// nil where nothing is at that path.
  init?(_ path: String, query: [String: String]) throws(RequestRefusal) {
    if let page = Page(rawValue: path) {
      self = .page(page)
    } else if let file = PageFile.at(path) {
      self = .file(file)
    } else if path == Self.commandPath {
      self = .command
    } else if path == Self.streamPath {
      self = .stream(live: Set(try Self.boards(query["live"])))
    } else if path == Self.sessionsPath {
      self = .ask(.sessions(of: try Self.board(in: query)))
    } else if path == Self.eventsPath {
      let limit = try Self.number(query, "limit", 1...Int64(Question.mostEvents))
      self = .ask(
        .events(of: try Self.board(in: query), limit: limit.map { Int($0) } ?? Question.usualEvents))
    } else if path.hasPrefix(Self.sessionPath) {
      guard let question = try Self.question(path.dropFirst(Self.sessionPath.count), query) else {
        return nil
      }
      self = .ask(question)
    } else {
      return nil
    }
  }

  /// `<session>/plot`, `<session>/samples.csv`.
  private static func question(
    _ rest: Substring, _ query: [String: String]
  ) throws(RequestRefusal) -> Question? {
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = ULID(String(parts[0])) else { return nil }
    if let format = Question.SampleFormat.allCases.first(where: { parts[1] == "samples.\($0.rawValue)" }) {
      return .samples(session, format)
    }
    guard parts[1] == "plot" else { return nil }
    guard let stream = query["stream"], (1...255).contains(stream.utf8.count) else {
      throw RequestRefusal(400, "a plot needs stream=, the name of a stream of the session")
    }
    let buckets = try number(query, "buckets", 1...Int64(PlotQuestion.mostBuckets))
    return .plot(
      PlotQuestion(
        session, stream: stream, from: try time(query, "from_ms"), to: try time(query, "to_ms"),
        buckets: buckets.map { Int($0) } ?? PlotQuestion.usualBuckets))
  }

  private static func boards(_ list: String?) throws(RequestRefusal) -> [BoardID] {
    let words = (list ?? "").split(separator: ",")
    guard words.count <= mostLiveBoards else {
      throw RequestRefusal(400, "live= takes at most \(mostLiveBoards) boards")
    }
    var boards: [BoardID] = []
    for word in words { boards.append(try board(String(word))) }
    return boards
  }

  /// The one that a query names; nil where it names none.
  private static func board(in query: [String: String]) throws(RequestRefusal) -> BoardID? {
    guard let text = query["board"] else { return nil }
    return try board(text)
  }

  private static func board(_ text: String) throws(RequestRefusal) -> BoardID {
    guard let board = BoardID(text) else {
      throw RequestRefusal(400, "a board is named by its id, twelve hexadecimal digits")
    }
    return board
  }

  private static func time(_ query: [String: String], _ name: String) throws(RequestRefusal) -> Timestamp? {
    try number(query, name, 0...Int64(1) << 42).map { Timestamp(milliseconds: $0) }
  }

  private static func number(
    _ query: [String: String], _ name: String, _ range: ClosedRange<Int64>
  ) throws(RequestRefusal) -> Int64? {
    guard let text = query[name] else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw RequestRefusal(
        400, "\(name)= takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

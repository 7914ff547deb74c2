import FleetModel

/// Requests that are not answered yet, by their numbers from 1. Belongs to the actor that owns it.
struct OpenRequests {
  enum Stage {
    /// Waits for a page that everybody gets.
    case page(PageView)
    /// A command is coming in.
    case incoming([UInt8], HTTPCommandRule, from: Peer)
    /// Waits for an answer of its own.
    case answer
    case answered(StoredResponse)
  }

  struct Request {
    let connection: OpaquePointer
    let since: Duration
    var stage: Stage
  }

  private(set) var all: [UInt: Request] = [:]
  private var last: UInt = 0

  var isEmpty: Bool { all.isEmpty }

  /// Those that wait for an answer of their own.
  var answersToCome: Int {
    all.values.count {
      switch $0.stage {
      case .answer, .incoming: true
      case .page, .answered: false
      }
    }
  }

  subscript(number: UInt) -> Request? { all[number] }

  /// Returns its number.
  mutating func begin(_ stage: Stage, on connection: OpaquePointer, at now: Duration) -> UInt {
    last += 1
    all[last] = Request(connection: connection, since: now, stage: stage)
    return last
  }

  /// More of a command; false where none is awaited.
  mutating func append(_ bytes: some Sequence<UInt8>, to number: UInt) -> Bool {
    guard case .incoming(let known, let rule, let peer) = all[number]?.stage else { return false }
    all[number]?.stage = .incoming(known + bytes, rule, from: peer)
    return true
  }

  /// A command that has come as a whole; nil where none was awaited.
  mutating func takeCommand(of number: UInt) -> WebRequest? {
    guard case .incoming(let bytes, let rule, let peer) = all[number]?.stage else { return nil }
    all[number]?.stage = .answer
    return .command(bytes, rule, from: peer)
  }

  mutating func answer(_ number: UInt, with response: StoredResponse) {
    all[number]?.stage = .answered(response)
  }

  mutating func end(_ number: UInt) { all[number] = nil }
}

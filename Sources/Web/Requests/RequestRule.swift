package import FleetModel

/// What becomes of a request: what it asks for, or a refusal with a reason. To whom it is addressed comes before
/// everything else (fault F225); reading and commanding are separate powers (faults F237 and F238). Pure.
package struct RequestRule: Sendable {
  package enum Verdict: Hashable, Sendable {
    case show(PageView)
    case file(PageFile)
    /// What happens from now on, with live samples of these boards.
    case stream(live: Set<BoardID>)
    /// The command that follows is to be taken, as far as this allows it.
    case command(HTTPCommandRule)
    case ask(Question)
    case refuse(HTTPContent)
  }

  /// Bytes of a command.
  static let largestCommand = 65_536

  private let hosts: HostRule
  private let isOpen: Bool
  private let commands: HTTPCommandRule
  private var tokens: TokenGuard

  package init(_ configuration: HTTPConfiguration, token: AccessToken?) {
    hosts = HostRule(names: configuration.hosts)
    isOpen = configuration.audience == .open
    commands = configuration.commands
    tokens = TokenGuard(token)
  }

  /// `now` is how long the server runs.
  package mutating func judge(_ request: HTTPRequest, at now: Duration) -> Verdict {
    do throws(RequestRefusal) { return try verdict(on: request, at: now) } catch {
      return .refuse(error.content(at: request.path))
    }
  }

  private mutating func verdict(on request: HTTPRequest, at now: Duration) throws(RequestRefusal) -> Verdict {
    let host = try checkHost(request)
    try checkMethod(request)
    guard let route = try Route(request.path, query: request.query) else {
      throw RequestRefusal(404, "There is nothing here; the page is at /, other pages are \(Self.paths)")
    }
    guard OriginRule.allows(request, at: host, asDocument: route.isDocument) else {
      throw RequestRefusal(403, "A page of somebody else sent this request")
    }
    let isTrusted = try checkToken(request, at: now)
    let reads = isTrusted || request.isLocal || isOpen
    switch route {
    case .file(let file): return .file(file)
    case .page(let page):
      guard reads || page.isForAnybody else { throw denial }
      return .show(PageView(page, showsNames: reads))
    case .command:
      try checkCommand(request, isTrusted: isTrusted)
      return .command(commands)
    case .stream(let boards):
      guard reads else { throw denial }
      guard request.method == "GET" else { throw Self.wrongMethod("GET") }
      return .stream(live: boards)
    case .ask(let question):
      guard reads else { throw denial }
      return .ask(question)
    }
  }

  private static let paths = Page.allCases.map(\.rawValue).joined(separator: " ")

  private func checkHost(_ request: HTTPRequest) throws(RequestRefusal) -> String {
    guard let host = request.hosts.first, request.hosts.count == 1 else {
      throw RequestRefusal(400, "The request needs one header Host")
    }
    guard hosts.allows(host) else {
      throw RequestRefusal(421, "This gateway is not called like that; add the name to http.hosts if it is")
    }
    return host
  }

  private func checkMethod(_ request: HTTPRequest) throws(RequestRefusal) {
    if request.path == Route.commandPath {
      guard request.method == "POST" else { throw Self.wrongMethod("POST") }
    } else {
      guard request.method == "GET" || request.method == "HEAD" else { throw Self.wrongMethod("GET, HEAD") }
      guard request.bodySize == 0 else { throw RequestRefusal(413, "A request here has no body") }
    }
  }

  private static func wrongMethod(_ allowed: String) -> RequestRefusal {
    RequestRefusal(405, "Only \(allowed) can be used here", headers: ["Allow": allowed])
  }

  /// Whether it carries the token. A wrong one is never answered as if there were none.
  private mutating func checkToken(_ request: HTTPRequest, at now: Duration) throws(RequestRefusal) -> Bool {
    switch tokens.judge(request.headers["authorization"], from: request.peer, at: now) {
    case .none: return false
    case .right: return true
    case .wrong: throw Self.unauthorised("The token is not the one of this gateway")
    case .tooMany(let pause):
      let seconds = max(1, pause.components.seconds)
      throw RequestRefusal(
        429, "Too many wrong tokens came from \(request.peer); try again in \(seconds) s",
        headers: ["Retry-After": "\(seconds)"])
    }
  }

  private static func unauthorised(_ sentence: String) -> RequestRefusal {
    RequestRefusal(401, sentence, headers: ["WWW-Authenticate": "Bearer"])
  }

  /// Why somebody sees nothing.
  private var denial: RequestRefusal {
    tokens.token == nil
      ? RequestRefusal(
        403, "This is for programs on this computer; http.token_file or http.read: open in the file opens it")
      : Self.unauthorised("This needs the token of this gateway, in the header Authorization: Bearer")
  }

  /// What only a page of ours, or a program that means it, can send, with the right to.
  private func checkCommand(_ request: HTTPRequest, isTrusted: Bool) throws(RequestRefusal) {
    guard request.headers["x-metafleet"] == "1" else {
      throw RequestRefusal(400, "A command needs the header X-MetaFleet: 1")
    }
    let type = request.headers["content-type"]?.prefix { $0 != ";" }
    guard let type, type.lowercased().filter({ $0 != " " }) == "application/json" else {
      throw RequestRefusal(415, "A command is sent as Content-Type: application/json")
    }
    guard let size = request.bodySize, size > 0 else {
      throw RequestRefusal(411, "A command needs the header Content-Length")
    }
    guard size <= Self.largestCommand else {
      throw RequestRefusal(413, "A command has at most \(Self.largestCommand) bytes")
    }
    let isThroughSocket = request.peer == .socket && !request.isForwarded
    guard isTrusted || isThroughSocket else {
      throw tokens.token == nil
        ? RequestRefusal(
          403, "Commands are off; http.token_file in the file allows them to who has the token")
        : Self.unauthorised("Commands need the token of this gateway, in the header Authorization: Bearer")
    }
    guard commands.allowsAny else {
      throw RequestRefusal(403, "Commands are off, by http.commands in the file")
    }
  }
}

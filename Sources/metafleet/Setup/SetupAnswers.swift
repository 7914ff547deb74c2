import FleetModel

/// What somebody answered to `metafleet setup`, and the file that comes of it. Pure.
struct SetupAnswers: Hashable, Sendable {
  /// A board that was received.
  struct Heard: Hashable, Sendable {
    var board: BoardID
    var name: String?
    /// In dBm.
    var rssi: Int?
  }

  var uplink: UplinkConfiguration
  var gateway: String
  var boards: [BoardID]

  /// The text of the configuration file.
  var text: String {
    var lines = [
      "# Made by metafleet setup. metafleet config example shows every key; metafleet config check checks this file.",
      "gateway:", "  id: \(gateway)", "mqtt:", "  host: \(Self.yaml(uplink.host))",
    ]
    if let port = uplink.port { lines.append("  port: \(port)") }
    if let tls = uplink.tls { lines.append("  tls: \(Self.text(of: tls))") }
    if let username = uplink.username { lines.append("  username: \(Self.yaml(username))") }
    if let file = uplink.passwordFile { lines.append("  password_file: \(Self.yaml(file))") }
    if uplink.base != UplinkConfiguration().base { lines.append("  base: \(uplink.base)") }
    guard !boards.isEmpty else { return (lines + ["boards: []"]).joined(separator: "\n") + "\n" }
    lines += [
      "profiles:", "  standard:", "    stream:", "      acceleration: { rate_hz: 50 }",
      "      temperature-die: { every: 10s }", "boards:",
    ]
    for (board, name) in zip(boards, names) {
      lines += [
        "  - address: \"\(board.address.colonSeparated)\"", "    name: \(Self.yaml(name))",
        "    profile: standard",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// By the last digits of the address, which stand on the board; by all of them where two have the same.
  private var names: [String] {
    let short = boards.map { "Board \($0.address.colonSeparated.suffix(5))" }
    return zip(boards, short).map { board, name in
      short.count { $0 == name } > 1 ? "Board \(board.address.colonSeparated)" : name
    }
  }

  private static func yaml(_ text: String) -> String { JSONText.of(.string(text)) }

  private static func text(of tls: TLSConfiguration) -> String {
    let files = [("ca", tls.authority), ("certificate", tls.certificate), ("key", tls.key)]
      .compactMap { name, file in file.map { "\(name): \(yaml($0))" } }
    return files.isEmpty ? "true" : "{ \(files.joined(separator: ", ")) }"
  }
}

// Answers as they are typed.
extension SetupAnswers {
  /// `broker.example`, `broker.example:1884`, `[::1]:1883`, `mqtts://broker.example`; what it does not say is as it
  /// was.
  static func broker(
    _ text: String, over uplink: UplinkConfiguration
  ) throws(CommandLineFailure) -> UplinkConfiguration {
    var (uplink, rest) = (uplink, text[...])
    if let scheme = ["mqtt://", "mqtts://"].first(where: { rest.hasPrefix($0) }) {
      rest = rest.dropFirst(scheme.count)
      if scheme == "mqtts://", uplink.tls == nil { uplink.tls = TLSConfiguration() }
    }
    while rest.last == "/" { rest.removeLast() }
    let end = rest.first == "[" ? rest.firstIndex(of: "]") : nil
    let colon = rest.lastIndex(of: ":")
    // More than one colon without brackets is an address of IPv6.
    if let colon, end.map({ colon > $0 }) ?? (rest.count { $0 == ":" } == 1) {
      guard let port = Int(rest[rest.index(after: colon)...]), (1...65_535).contains(port) else {
        throw CommandLineFailure(.usage, "\(quoted(text)) has no port from 1 to 65535 behind its colon")
      }
      uplink.port = port
      rest = rest[..<colon]
    }
    let host = rest.filter { !"[]".contains($0) }
    guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else {
      throw CommandLineFailure(
        .usage, "\(quoted(text)) is no broker; write its name or address, such as broker.example")
    }
    uplink.host = host
    return uplink
  }

  /// A gateway's name, for topics.
  static func gateway(_ text: String) throws(CommandLineFailure) -> String {
    guard NameForm.name.fits(text) else {
      throw CommandLineFailure(
        .usage, "\(quoted(text)) is no name of a gateway; it takes \(NameForm.name.words)")
    }
    return text
  }

  /// `all`, `none`, or numbers of the list and addresses, separated by commas or blanks.
  static func boards(_ text: String, of heard: [Heard]) throws(CommandLineFailure) -> [BoardID] {
    switch text.lowercased() {
    case "all": return heard.map(\.board)
    case "none": return []
    default: break
    }
    var chosen: [BoardID] = []
    for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let board: BoardID
      if let number = Int(word), word.count < 4 {
        guard heard.indices.contains(number - 1) else {
          throw CommandLineFailure(.usage, "there is no board \(number) in the list")
        }
        board = heard[number - 1].board
      } else if let id = BoardID(word) {
        board = id
      } else {
        throw CommandLineFailure(
          .usage,
          "\(quoted(String(word))) is no number of the list and no address; all and none are answers, too")
      }
      if !chosen.contains(board) { chosen.append(board) }
    }
    return chosen
  }
}

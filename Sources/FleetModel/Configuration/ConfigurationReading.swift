/// A configuration read from the values that the file holds, and everything that is wrong with them.
package struct ConfigurationReading: Sendable {
  /// What was read; of no use where there are errors.
  package private(set) var configuration: FleetConfiguration
  /// What is wrong, with its place.
  package private(set) var faults: [ArgumentFault]

  /// Checks `file` against its declaration, and what is said in one place against what is said in others. `standard`
  /// counts where it says nothing.
  package init(_ file: JSONValue, over standard: FleetConfiguration) {
    configuration = standard
    var check = ArgumentCheck()
    let values = check.value(file, as: .object(ConfigurationKeys.file), at: .file)?.object ?? [:]
    faults = check.faults
    configuration.take(values)
    for (name, keys) in values["profiles"]?.object?.members ?? [] {
      let profile = ProfileReading(
        keys.object ?? [:], at: ArgumentPlace.file.member("profiles").member(name))
      configuration.profiles[name] = profile.profile
      faults += profile.faults
    }
    checkProfileReferences(in: values)
    checkGroups(in: values)
    checkNames(in: values)
    checkProfileUse(in: values)
    checkBroker(values["mqtt"]?.object ?? [:])
    checkHTTP(file.object?["http"]?.object ?? [:])
    // As it stands in the file: a checked value has its defaults.
    checkAdmission(file.object?["admission"]?.object ?? [:])
    checkVariables(in: .object(values), at: .file)
  }

  private mutating func checkProfileReferences(in values: JSONObject) {
    var references = [
      (ArgumentPlace.file.member("admission").member("profile"), values["admission"]?.object?["profile"])
    ]
    for (index, board) in (values["boards"]?.array ?? []).enumerated() {
      references.append(
        (ArgumentPlace.file.member("boards").element(index).member("profile"), board.object?["profile"]))
    }
    for case (let place, let name?) in references.map({ ($0.0, $0.1?.string) })
    where configuration.profiles[name] == nil {
      note("\(place.path) \(Self.unknownProfile(name, among: configuration.profiles.keys))", at: place)
    }
  }

  private mutating func checkGroups(in values: JSONObject) {
    for (index, board) in (values["boards"]?.array ?? []).enumerated() {
      for (position, group) in (board.object?["groups"]?.array ?? []).enumerated() where group == "all" {
        note(
          "every board is in the group all anyway; leave it out",
          at: ArgumentPlace.file.member("boards").element(index).member("groups").element(position))
      }
    }
  }

  /// A profile that nothing names, in a file that lists boards: where all are admitted at run time, nobody can tell.
  private mutating func checkProfileUse(in values: JSONObject) {
    let profiles = values["profiles"]?.object ?? [:]
    let boards = (values["boards"]?.array ?? []).map { $0.object?["profile"]?.string }
    guard !boards.isEmpty else { return }
    let extended = profiles.members.map { $0.value.object?["extends"]?.string }
    let used = Set((boards + extended + [configuration.admission.profile]).compactMap { $0 })
    for name in profiles.keys where !used.contains(name) {
      note(
        "profiles.\(name) is used by no board of the file; name it in a board, or remove it unless boards get it at run time",
        at: ArgumentPlace.file.member("profiles").member(name), part: .key, .warning)
    }
  }

  private mutating func checkAdmission(_ keys: JSONObject) {
    guard configuration.admission.mode == .open else { return }
    let isUnbounded = keys["max_boards"] == nil && keys["min_rssi_dbm"] == nil
    let bounds =
      isUnbounded
      ? "up to \(configuration.admission.maximumBoards), however weak its signal; set max_boards and min_rssi_dbm,"
      : "within max_boards and min_rssi_dbm;"
    note(
      "admission.mode is open: every board in range joins, \(bounds) list the boards, or use window",
      at: ArgumentPlace.file.member("admission").member("mode"), .warning)
  }

  private mutating func note(
    _ text: String, at place: ArgumentPlace, part: ArgumentFault.Part = .value,
    _ severity: ConfigurationProblem.Severity = .error
  ) {
    faults.append(ArgumentFault(place: place, part: part, severity: severity, text: text))
  }

  /// What is said of a name that is no profile.
  package static func unknownProfile(_ name: String, among names: some Sequence<String>) -> String {
    let advice = Suggestion.advice(for: name, among: names.sorted())
    return "names the profile \(PrintableText.quoted(name)), which is not in the file; \(advice)"
  }
}

// What people mean by a board, and by a broker.
extension ConfigurationReading {
  /// A name leads to one board, whoever types it, and not to a group as well.
  private mutating func checkNames(in values: JSONObject) {
    let boards = (values["boards"]?.array ?? []).map { $0.object ?? [:] }
    let ids = boards.map { $0["address"]?.string.flatMap { BoardID($0) } }
    let groups = Set(boards.flatMap { $0["groups"]?.array ?? [] }.compactMap(\.string))
    var (first, alike): ([String: Int], [String: Int]) = ([:], [:])
    for (index, board) in boards.enumerated() {
      for (position, group) in (board["groups"]?.array ?? []).compactMap(\.string).enumerated() {
        guard let id = BoardID(group), let other = ids.firstIndex(of: id) else { continue }
        note(
          "the group \(PrintableText.quoted(group)) is called like the address of boards[\(other)]; call it otherwise",
          at: ArgumentPlace.file.member("boards").element(index).member("groups").element(position), .warning)
      }
      guard let name = board["name"]?.string else { continue }
      let place = ArgumentPlace.file.member("boards").element(index).member("name")
      if let other = first[name], ids[other] != ids[index] {
        note(
          "boards[\(other)] has the name \(PrintableText.quoted(name)), too; give each board a name of its own",
          at: place)
      }
      let folded = name.lowercased()
      if first[name] == nil, let other = alike[folded], ids[other] != ids[index] {
        note(
          "boards[\(other)] has the same name but for capital letters; give each board a name of its own",
          at: place, .warning)
      }
      first[name] = first[name] ?? index
      alike[folded] = alike[folded] ?? index
      if folded == "all" || groups.contains(folded) {
        note(
          "\(place.path) is the name of a group, too: commands to it must say group:\(folded), or the board's address; rename one",
          at: place, .warning)
      }
      if let id = BoardID(name), let other = ids.firstIndex(of: id), other != index {
        note(
          "\(place.path) is the address of boards[\(other)]: commands to this name reach that board",
          at: place, .warning)
      }
    }
  }

  private mutating func checkBroker(_ keys: JSONObject) {
    let mqtt = configuration.mqtt
    let place = ArgumentPlace.file.member("mqtt")
    if let files = keys["tls"]?.object, (files["certificate"] == nil) != (files["key"] == nil) {
      note("mqtt.tls needs both certificate and key, or neither", at: place.member("tls"))
    }
    if let host = keys["host"]?.string { checkHost(host, keys, at: place) }
    for name in ["username", "client_id"] {
      guard let text = keys[name]?.string, text.first?.isWhitespace == true || text.last?.isWhitespace == true
      else { continue }
      note(
        "mqtt.\(name) begins or ends with a blank, which is part of it; remove it if it is not",
        at: place.member(name), .warning)
    }
    if mqtt.tls != nil, mqtt.port == 1883 {
      note(
        "mqtt.port 1883 is usually the port without TLS; with mqtt.tls it is 8883", at: place.member("port"),
        .warning)
    }
    // Who writes tls: false has thought of it.
    if mqtt.passwordFile != nil, keys["tls"] == nil, !Self.isThisHost(mqtt.host) {
      note(
        "the password goes to \(PrintableText.quoted(mqtt.host)) unencrypted; set mqtt.tls, or tls: false if that is meant",
        at: place.member("password_file"), .warning)
    }
  }

  /// Who has written `read`, or made a token, has thought of it.
  private mutating func checkHTTP(_ keys: JSONObject) {
    let http = configuration.consumers.http
    guard let listen = http.listen else { return }
    if let verbs = http.commands.verbs, !verbs.isEmpty, !listen.isSocket, http.tokenFile == nil {
      note(
        "http.commands needs http.token_file, or whoever reaches \(listen) could command boards: name a file with a token, or take commands away",
        at: ArgumentPlace.file.member("http").member("commands"))
    }
    guard !listen.isLocal, keys["read"] == nil, http.tokenFile == nil else { return }
    note(
      "http.listen can be reached from other computers, which see no names; set token_file, or read: local if that is meant, or read: open",
      at: ArgumentPlace.file.member("http").member("listen"), .warning)
  }

  /// What an address says beside the host is held against the keys that say it, too.
  private mutating func checkHost(_ text: String, _ keys: JSONObject, at place: ArgumentPlace) {
    let host = place.member("host")
    let address: BrokerAddress
    do throws(BrokerAddress.Fault) { address = try BrokerAddress(text) } catch {
      return note("mqtt.host must be a host name or address \(error.text)", at: host)
    }
    if let port = address.port, let other = keys["port"]?.integer, Int64(port) != other {
      note("mqtt.host says the port \(port) and mqtt.port \(other); write one of them", at: host)
    }
    switch (address.isSecure, configuration.mqtt.tls != nil) {
    case (true?, false):
      note(
        "mqtt.host asks for TLS, and mqtt.tls is not set; write host: \(address.advice) and tls: true",
        at: host)
    case (false?, true):
      note("mqtt.host asks for no TLS, and mqtt.tls is set; write host: \(address.advice)", at: host)
    default: break
    }
  }

  private static func isThisHost(_ host: String) -> Bool {
    host.lowercased() == "localhost" || host.hasPrefix("127.") || host == "::1"
  }

  /// `$BROKER` and `${BROKER}`, which a shell would have replaced.
  private mutating func checkVariables(in value: JSONValue, at place: ArgumentPlace) {
    switch value {
    case .string(let text) where Self.hasVariable(text):
      note(
        "\(place.path) is taken as it is written: variables such as $NAME are not replaced", at: place,
        .warning)
    case .object(let object):
      for (key, member) in object.members { checkVariables(in: member, at: place.member(key)) }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        checkVariables(in: element, at: place.element(index))
      }
    default: break
    }
  }

  private static func hasVariable(_ text: String) -> Bool {
    text.split(separator: "$", omittingEmptySubsequences: false).dropFirst().contains { rest in
      let name = rest.prefix { $0 == "_" || $0.isASCII && ($0.isUppercase || $0.isNumber) }
      return rest.first == "{" || name.count > 1 && name.first?.isNumber == false
    }
  }
}

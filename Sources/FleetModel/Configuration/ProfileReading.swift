/// One profile read from the values that the file holds, and what of it no board could do. Streams are read by the
/// rules of `stream-start`, what boards do by themselves by those of the verbs that make it.
struct ProfileReading {
  private(set) var profile = Profile()
  private(set) var faults: [ArgumentFault] = []
  private let keys: JSONObject
  private let place: ArgumentPlace

  /// Reads checked `keys`, with what they have from other profiles.
  init(_ keys: JSONObject, at place: ArgumentPlace) {
    (self.keys, self.place) = (keys, place)
    profile.streams = streams(for: .stream)
    profile.logs = streams(for: .log)
    profile.isLogCircular = keys["logging"]?.object?["circular"]?.bool ?? profile.isLogCircular
    for kind in ProgramKey.Kind.allCases { declare(kind) }
    declareSettings()
    profile.button = keys["button"]?.bool ?? profile.button
    profile.link = keys["link"]?.word() ?? profile.link
    profile.visit = VisitPolicy(document: keys["visit"]?.object ?? [:])
    profile.availabilityWindow = keys["availability_window"]?.duration
    checkGaps()
    checkConflicts()
    checkVisits()
    checkHours()
    if let warning = LinkLoad(of: profile.streams.values).warning {
      let place = place.member(StreamUse.stream.rawValue)
      note("\(place.path) \(warning)", at: place, .value, .warning)
    }
  }

  private mutating func note(
    _ text: String, at place: ArgumentPlace, _ part: ArgumentFault.Part = .value,
    _ severity: ConfigurationProblem.Severity = .error
  ) {
    faults.append(ArgumentFault(place: place, part: part, severity: severity, text: text))
  }
}

/// Streams.
extension ProfileReading {
  private mutating func streams(for use: StreamUse) -> [String: StreamRequest] {
    var requests: [String: StreamRequest] = [:]
    for (name, configuration) in keys[use.rawValue]?.object?.members ?? [] {
      requests[name] = request(name, configuration, for: use, at: place.member(use.rawValue).member(name))
    }
    return requests
  }

  private mutating func request(
    _ name: String, _ configuration: JSONValue, for use: StreamUse, at place: ArgumentPlace
  ) -> StreamRequest? {
    // Its chains are streams as well.
    let chain = keys[ProgramKey.Kind.chain.rawValue]?.object?[name].map { _ in ChainStream(name: name) }
    guard let stream = chain?.definition ?? StreamCatalogue.find(name)?.stream else {
      let chains = keys[ProgramKey.Kind.chain.rawValue]?.object?.keys.sorted() ?? []
      let names = StreamCatalogue.all.map(\.name) + chains
      note(Suggestion.missing("stream", name, among: names), at: place, .key)
      return nil
    }
    guard use == .stream || stream.isLoggable else {
      note("boards cannot log \(name)", at: place, .key)
      return nil
    }
    var check = ArgumentCheck(acceptNearest: configuration.object?["nearest"] == true)
    defer { faults += check.faults }
    guard var keys = configuration.object else {
      _ = check.value(configuration, as: .object([]), at: place)
      return nil
    }
    if let nearest = keys["nearest"] {
      _ = check.value(nearest, as: .boolean, at: place.member("nearest"))
      keys["nearest"] = nil
    }
    let values = check.members(
      of: keys, against: stream.parameters(for: use), at: place.called(stream.name))
    return check.faults.isEmpty ? StreamRequest(name: name, configuration: values) : nil
  }

  /// What is streamed and logged otherwise.
  private mutating func checkConflicts() {
    for logged in profile.logs.values.sorted(by: { $0.name < $1.name }) {
      let failures = profile.streams.values.compactMap { $0.conflict(with: logged) }
      guard let failure = failures.first else { continue }
      let place = place.member(StreamUse.log.rawValue).member(logged.name)
      note("\(place.path): \(failure.message)", at: place, .key)
    }
  }
}

/// Visits.
extension ProfileReading {
  /// A board that stays connected is not visited: what its visits would be for is its log alone. Chains may be logged,
  /// too.
  private mutating func checkVisits() {
    guard profile.visit.isPlanned, profile.logs.isEmpty, profile.program[.chain].isEmpty else { return }
    let staysConnected =
      switch profile.link {
      case .hold: true
      case .visit: false
      case .automatic: profile.streams.values.contains { $0.configuration["every"] == nil }
      }
    guard staysConnected else { return }
    let place = place.member("visit").member("every")
    note(
      "\(place.path) has no effect: boards with this profile stay connected and log nothing", at: place,
      .value, .warning)
  }
}

extension ProfileReading {
  /// What is due at a time of day that is outside the hours of visits comes later than it says.
  private mutating func checkHours() {
    let hours = profile.visit.hours
    guard !hours.isEmpty else { return }
    func outside(_ rule: ScheduleRule) -> Int? {
      rule.minutes.first { minute in !hours.contains { $0.contains(minute: minute) } }
    }
    let lateness = "lies outside visit.hours: that visit waits until they begin"
    if let minute = profile.visit.every.flatMap(outside) {
      let place = place.member("visit").member("every")
      note("\(place.path) \(ScheduleRule.text(minute)) \(lateness)", at: place, .value, .warning)
    }
    guard profile.link == .visit else { return }
    for stream in profile.streams.values.sorted(by: { $0.name < $1.name }) {
      guard let minute = stream.readRule.flatMap(outside) else { continue }
      let place = place.member(StreamUse.stream.rawValue).member(stream.name).member("every")
      note("\(place.path) \(ScheduleRule.text(minute)) \(lateness)", at: place, .value, .warning)
    }
  }
}

/// What boards do by themselves, and how they present themselves.
extension ProfileReading {
  private mutating func declare(_ kind: ProgramKey.Kind) {
    for (name, arguments) in keys[kind.rawValue]?.object?.members ?? [] {
      let place = place.member(kind.rawValue).member(name)
      guard let arguments = arguments.object else {
        var check = ArgumentCheck()
        _ = check.value(arguments, as: .object(kind.parameters), at: place)
        faults += check.faults
        continue
      }
      do throws(CommandFailure) {
        try profile.program.declare(ProgramKey(kind, name), arguments)
      } catch {
        note("\(place.path): \(error.message)", at: place, .key)
      }
    }
  }

  /// What refers to something that is not in the profile.
  private mutating func checkGaps() {
    for (key, text) in profile.program.gaps {
      let place = place.member(key.kind.rawValue).member(key.name)
      note("\(place.path): \(text)", at: place, .key)
    }
  }

  /// One key at a time, so that every wrong one is named with its place.
  private mutating func declareSettings() {
    let names = SettingsDeclaration.parameters.map(\.name)
    for (key, value) in keys["settings"]?.object?.members ?? [] {
      let place = place.member("settings").member(key)
      guard names.contains(key) else {
        note(Self.unknownSetting(key, among: names), at: place, .key)
        continue
      }
      do throws(CommandFailure) { try profile.settings.declare(key, value) } catch {
        note("\(place.path): \(error.message)", at: place)
      }
      let whitelist = profile.settings.settings(key).whitelist
      if whitelist?.mode == .connect || whitelist?.mode == .both {
        // What the verb wants a confirmation for.
        note(
          "\(place.path) can lock out every host; list all adapters of this gateway in it", at: place, .key,
          .warning)
      }
    }
  }

  private static func unknownSetting(_ key: String, among names: [String]) -> String {
    if key == "persist" {
      return "leave persist out: settings of a profile are applied after every reset anyway"
    }
    return Suggestion.missing("setting", key, among: names)
  }
}

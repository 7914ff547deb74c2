package import FleetModel

/// One line of a script:
///
///     [at TIME | after TIME] COMMAND … [for DURATION] [# comment]
///
/// `at` counts from the start of the simulation, `after` from the line before; without either it is at once.
package struct FaultLine: Hashable, Sendable {
  private enum Moment: Hashable, Sendable {
    case at(Duration)
    case after(Duration)
  }

  private let moment: Moment
  private let fault: Fault
  private let boards: [BluetoothAddress]
  private let lasts: Duration?

  /// Reads a line; nil where it is empty or a comment.
  package static func parse(
    _ text: String, boards: [BluetoothAddress]
  ) throws(FaultProblem) -> FaultLine? {
    let words = text.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
    return words.isEmpty ? nil : try FaultLine(words, boards)
  }

  /// What is to happen when the line before happened, or was read, at `previous`.
  package func order(after previous: Duration) -> FaultOrder {
    let time =
      switch moment {
      case .at(let time): time
      case .after(let pause): previous + pause
      }
    return FaultOrder(fault, on: boards, at: time, lasts: lasts)
  }

  private init(_ words: [String], _ all: [BluetoothAddress]) throws(FaultProblem) {
    var words = words[...]
    moment = try Self.moment(&words)
    let lasts = try Self.lasting(&words)
    guard let name = words.popFirst() else { throw FaultProblem("a command is expected after the time") }
    let verb: any ScriptVerb
    if let stimulus = StimulusVerb(rawValue: name) {
      verb = stimulus
      boards = try BoardSelection.parse(try Self.word(&words, of: stimulus), of: all)
      fault = .stimulus(try Self.stimulus(stimulus, &words))
    } else if let trouble = FaultVerb(rawValue: name) {
      verb = trouble
      boards =
        switch trouble {
        case .adapter, .service, .radio: []
        default: try BoardSelection.parse(try Self.word(&words, of: trouble), of: all)
        }
      fault = try Self.fault(trouble, &words)
    } else {
      let known = FaultVerb.allCases.map(\.rawValue) + StimulusVerb.allCases.map(\.rawValue)
      throw FaultProblem(Suggestion.missing("command", name, among: known))
    }
    guard words.isEmpty else { throw Self.misuse(of: verb) }
    guard lasts == nil || fault.remedy != nil else {
      throw FaultProblem(
        "\(name) is over at once or by itself, so it cannot have \"for\"; expected: \(verb.form)")
    }
    self.lasts = lasts
  }

  private static func moment(_ words: inout ArraySlice<String>) throws(FaultProblem) -> Moment {
    switch words.first {
    case "at":
      words.removeFirst()
      return .at(try duration(words.popFirst(), after: "at"))
    case "after":
      words.removeFirst()
      return .after(try duration(words.popFirst(), after: "after"))
    default: return .after(.zero)
    }
  }

  private static func lasting(_ words: inout ArraySlice<String>) throws(FaultProblem) -> Duration? {
    guard words.count >= 2, words[words.endIndex - 2] == "for" else { return nil }
    defer { words.removeLast(2) }
    return try duration(words.last, after: "for")
  }

  private static func duration(_ word: String?, after name: String) throws(FaultProblem) -> Duration {
    guard let duration = word.flatMap(DurationText.parse) else {
      throw FaultProblem("a duration is expected after \"\(name)\", such as 10s, 500ms or 1m30s")
    }
    return duration
  }

  private static func fault(
    _ verb: FaultVerb, _ words: inout ArraySlice<String>
  ) throws(FaultProblem) -> Fault {
    if let defect = try bootloader(verb, &words) { return .apply(.defect(.bootloader(defect))) }
    switch verb {
    case .drop: return .drop
    case .reset: return .reset
    case .mute: return .apply(.mute)
    case .vanish: return .apply(.vanished)
    case .refuse: return .apply(try refusal(&words))
    case .ignore: return .apply(.ignored(try choice(&words, of: verb)))
    case .stale: return .apply(.stale)
    case .delay: return .apply(.delayed(try span(&words, of: verb)))
    case .battery: return .battery(percent: try number(&words, 0...100, of: verb))
    case .flood: return .flood(try number(&words, 1...100_000, of: verb))
    case .malformed: return .malformed(try number(&words, 1...100_000, of: verb))
    case .loseWrite:
      let place = try register(&words, of: verb)
      return .apply(.defect(.lostWrites(place, try count(&words, of: verb))))
    case .unreadable:
      let place = try register(&words, of: verb)
      return .apply(.defect(.unreadable(place, try count(&words, of: verb))))
    case .truncate:
      let place = try register(&words, of: verb)
      return .apply(.defect(.truncated(place, try count(&words, of: verb))))
    case .loseEntries: return .apply(.defect(.lostEntries(try count(&words, of: verb))))
    case .doubleEntries: return .apply(.defect(.doubledEntries(try count(&words, of: verb))))
    case .damageTicks: return .apply(.defect(.damagedTicks(try count(&words, of: verb))))
    case .loseSamples: return .apply(.defect(.lostSamples(try count(&words, of: verb))))
    case .doubleSamples: return .apply(.defect(.doubledSamples(try count(&words, of: verb))))
    case .clump:
      let span = try span(&words, of: verb)
      guard span > .zero else { throw misuse(of: verb) }
      return .apply(.clumped(span))
    case .impossibleValues:
      let value: ImpossibleValue = try choice(&words, of: verb)
      return .apply(.defect(.impossible(value, try count(&words, of: verb))))
    case .unknownNotifications:
      return .apply(.defect(.unknownNotifications(try number(&words, 1...1000, of: verb))))
    case .foreignHost: return .foreignHost
    case .heal: return .heal(words.isEmpty ? nil : try choice(&words, of: verb))
    case .adapter:
      let fault: AdapterFault = try choice(&words, of: verb)
      let last = SimulatedAdapters.greatestCount - 1
      return .adapter(fault, number: words.isEmpty ? 0 : try number(&words, 0...last, of: verb))
    case .service: return .service(try choice(&words, of: verb))
    case .radio:
      guard words.first == StimulusVerb.usual else { return .radio(try choice(&words, of: verb)) }
      words.removeFirst()
      return .radio(nil)
    // Read above.
    case .dfuJump, .dfuLate, .dfuErase, .dfuAnswer, .dfuReceipts, .dfuDrop, .dfuDropAfter, .dfuFlip, .dfuDie,
      .dfuActivation, .dfuJam, .dfuBuffer:
      throw misuse(of: verb)
    }
  }

  private static func register(
    _ words: inout ArraySlice<String>, of verb: FaultVerb
  ) throws(FaultProblem) -> RegisterPlace {
    let module = try word(&words, of: verb)
    return try RegisterPlace.parse(module, try word(&words, of: verb))
  }

  static func span(
    _ words: inout ArraySlice<String>, of verb: some ScriptVerb
  ) throws(FaultProblem) -> Duration {
    guard let span = DurationText.parse(try word(&words, of: verb)) else { throw misuse(of: verb) }
    return span
  }

  /// How often; once where nothing is said.
  static func count(
    _ words: inout ArraySlice<String>, of verb: some ScriptVerb
  ) throws(FaultProblem) -> Int {
    words.isEmpty ? 1 : try number(&words, 1...100_000, of: verb)
  }

  /// The rest of the line is the text, because BlueZ's texts have spaces.
  private static func refusal(_ words: inout ArraySlice<String>) throws(FaultProblem) -> LastingFault {
    guard let word = words.popFirst() else {
      return .refused(name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local")
    }
    let name = word.contains(".") ? word : "org.bluez.Error.\(word)"
    let elements = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count < 256, elements.allSatisfy({ $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil })
    else {
      throw FaultProblem(
        "\"\(PrintableText.escaped(word))\" is no name of an error, such as Failed or org.bluez.Error.Failed")
    }
    defer { words = [] }
    return .refused(name: name, text: words.joined(separator: " "))
  }

  static func word(
    _ words: inout ArraySlice<String>, of verb: some ScriptVerb
  ) throws(FaultProblem) -> String {
    guard let word = words.popFirst() else { throw misuse(of: verb) }
    return word
  }

  static func choice<Choice: RawRepresentable<String>>(
    _ words: inout ArraySlice<String>, of verb: some ScriptVerb
  ) throws(FaultProblem) -> Choice {
    guard let choice = Choice(rawValue: try word(&words, of: verb)) else { throw misuse(of: verb) }
    return choice
  }

  static func number(
    _ words: inout ArraySlice<String>, _ range: ClosedRange<Int>, of verb: some ScriptVerb
  ) throws(FaultProblem) -> Int {
    guard let number = Int(try word(&words, of: verb)), range.contains(number) else {
      throw FaultProblem("\(verb.form): a number from \(range.lowerBound) to \(range.upperBound) is expected")
    }
    return number
  }

  static func misuse(of verb: some ScriptVerb) -> FaultProblem {
    FaultProblem("expected: \(verb.form)")
  }
}

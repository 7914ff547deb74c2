/// Which single values fit a type.
extension ParameterType {
  /// The value in the form we keep it in; nil where it does not fit. Objects and lists are judged member by member
  /// elsewhere.
  func fitting(_ value: JSONValue) -> JSONValue? {
    switch self {
    case .integer(let range): value.integer.flatMap { range.contains($0) ? .integer($0) : nil }
    case .number(let range): value.number.flatMap { range.contains($0) ? JSONValue(plain: $0) : nil }
    case .boolean: value.bool.map { .bool($0) }
    case .offered(let offers):
      value.number.flatMap { Self.offer($0, of: offers) }.map { JSONValue(plain: $0) }
    case .bytes(let range):
      value.string.flatMap { Hex.bytes($0) }.flatMap {
        range.contains($0.count) ? .string(Hex.string($0)) : nil
      }
    case .address: value.string.flatMap { BluetoothAddress($0) }.map { .string($0.compact) }
    case .instant: value.integer.flatMap { $0 >= 0 ? .integer($0) : nil }
    case .anything: value
    case .worded(_, let type): type.fitting(value)
    case .either(let forms): forms.lazy.compactMap { $0.fitting(value) }.first
    case .object, .list, .map, .streams, .programs, .settings: nil
    default: value.string.flatMap { takes($0) ? value : nil }
    }
  }

  /// Whether a type of texts takes `text`.
  private func takes(_ text: String) -> Bool {
    switch self {
    case .choice(let words): words.contains(text)
    case .text(let range), .displayName(let range): range.contains(text.unicodeScalars.count)
    case .word(let most):
      (1...most).contains(text.utf8.count) && text.unicodeScalars.allSatisfy(PrintableText.isPrintable)
    case .duration(let least, let most):
      DurationText.parse(text).map { $0 >= least && $0 <= most ?? $0 } ?? false
    case .size: SizeText.parse(text) != nil
    case .percent: PercentText.parse(text) != nil
    case .scheduleRule(let least): ScheduleRule.parse(text, atLeast: least) != nil
    case .hours: HoursOfDay(text) != nil
    case .topicLevels: Self.isTopicLevels(text)
    case .listenAddress: text == ListenAddress.none || ListenAddress(text) != nil
    case .file, .directory: !text.isEmpty
    case .name: NameForm.name.fits(text)
    case .boardName: NameForm.boardName.fits(text)
    case .identifier(let most): Self.isIdentifier(text, atMost: most)
    default: false
    }
  }

  /// The offered value that is meant: one within 1 % is, so that 0.78 means 0.78125.
  static func offer(_ value: Double, of offers: [Double]) -> Double? {
    offers.first { abs(value - $0) <= abs($0) * 0.01 }
  }

  /// What helps somebody who wrote `value` in the configuration file; nil where "must be …" says it all.
  func hint(for value: JSONValue) -> String? {
    let text = value.string ?? ""
    let isBare = DecimalText.number(text) != nil
    switch self {
    case .choice(let words): return Suggestion.nearest(to: text, in: words).map { "did you mean \($0)?" }
    case .duration where isBare:
      return "it has no unit: write \(text)s for seconds; units are ms s m h d w"
    case .scheduleRule where isBare: return "it has no unit: write \(text)s for seconds"
    case .scheduleRule(let least): return ScheduleAdvice.hint(for: text, atLeast: least)
    case .duration: return ScheduleAdvice.intervalHint(for: text)
    case .hours: return ScheduleAdvice.hoursHint(for: text)
    case .size where isBare: return "it has no unit: units are B kB MB GB TB and KiB MiB GiB TiB"
    case .percent where isBare: return "write \(text)%"
    case .list(of: .object(let keys), _) where value.array == nil:
      return "begin each entry with \"- \(keys.first?.name ?? ""): …\""
    case .list where value.array == nil: return "write [a, b], or one entry per line, each behind a dash"
    case .either(let forms): return forms.lazy.compactMap { $0.isList ? nil : $0.hint(for: value) }.first
    case .worded(_, let type): return type.hint(for: value)
    default: return nil
    }
  }
}

extension JSONValue {
  /// A number as an integer where it is one.
  init(plain value: Double) {
    self = if let whole = Int64(exactly: value) { .integer(whole) } else { .number(value) }
  }
}

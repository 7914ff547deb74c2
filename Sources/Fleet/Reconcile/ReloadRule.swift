import FleetModel

/// Whether a file that was read again is obeyed, and what its sender hears of it (MQTT contract 4.1). Pure.
struct ReloadRule {
  /// How many changes and problems an answer lists; the rest is counted.
  static let listed = 100

  /// The file as it was read.
  let read: CheckedConfiguration
  /// The gateway's id, which confirms.
  let gateway: String
  /// Whether somebody said that the file is meant as it is.
  let isConfirmed: Bool

  /// Why the file is not obeyed whatever it says; nil where it can be read.
  var unreadable: CommandFailure? {
    let errors = read.problems.filter { $0.severity == .error }
    guard let first = errors.first else { return nil }
    let place = first.report(in: read.file ?? "the file")
    let rest = errors.count > 1 ? " (and \(CountText.of(errors.count - 1, "error")) more)" : ""
    return refusal("the configuration file cannot be used: \(place)\(rest)")
  }

  /// Why it is not obeyed without a confirmation; nil where it is. `removal` is who goes, `names` what boards are
  /// called.
  func doubt(_ removal: FileRemoval, naming names: [BoardID: String] = [:]) -> CommandFailure? {
    guard !isConfirmed else { return nil }
    let confirm = "if it is meant, \(FileRemoval.confirmation(by: gateway))"
    guard removal.needsConfirmation else { return nil }
    return refusal(
      "\(removal.sentence(naming: names)); put them back and reload, or \(confirm)", removal.document)
  }

  /// What is answered when it was obeyed. `troubles` are what of it cannot be had, each in a sentence.
  func answer(_ change: ConfigurationChange, troubles: [String] = []) -> JSONObject {
    var data = change.document
    let keys = change.keys
    data["changes"] = .array(keys.prefix(Self.listed).map { .object($0.document) })
    if keys.count > Self.listed { data["more_changes"] = .integer(Int64(keys.count - Self.listed)) }
    return data.merging(problems(and: troubles.map { ConfigurationProblem(.warning, $0) }))
  }

  /// A file whose writer is not done may read well; what it says then counts only for a moment.
  private static let unended = ConfigurationProblem(
    .warning,
    "the last line of the file has no end: if it was still being written, reload once more; end it with a line break"
  )

  private func refusal(_ reason: String, _ data: JSONObject = [:]) -> CommandFailure {
    CommandFailure(.invalid, "\(reason); nothing was applied", data: data.merging(problems()))
  }

  /// Errors first, so that they are among those listed.
  private func problems(and more: [ConfigurationProblem] = []) -> JSONObject {
    let errors = read.problems.filter { $0.severity == .error }
    let all =
      errors + more + read.problems.filter { $0.severity != .error }
      + (read.endsMidLine ? [Self.unended] : [])
    var data: JSONObject = ["problems": .array(all.prefix(Self.listed).map { .object($0.json) })]
    if all.count > Self.listed { data["more_problems"] = .integer(Int64(all.count - Self.listed)) }
    data["file"] = read.file.map { .string($0) }
    return data
  }
}

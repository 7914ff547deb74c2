/// Where in arguments or in the configuration file something is, and how messages call it: `rate_hz of acceleration`,
/// `mqtt.port`.
package struct ArgumentPlace: Hashable, Sendable {
  /// One step from a value to a part of it.
  package enum Step: Hashable, Sendable {
    case key(String)
    case element(Int)
  }

  /// How to come here from the outermost value.
  package private(set) var steps: [Step]
  /// The last key, with the elements behind it.
  private let own: String
  /// What the keys here are keys of; nil where they are called by their path.
  private let subject: String?
  /// Whether who wrote it can look at a file, and is helped with words that were perhaps meant.
  let isInFile: Bool

  /// The configuration file.
  package static let file = ArgumentPlace(steps: [], own: "the file", subject: nil, isInFile: true)

  /// The arguments of a request.
  static func request(_ subject: String) -> ArgumentPlace {
    ArgumentPlace(steps: [], own: subject, subject: subject, isInFile: false)
  }

  /// The same place of the file, whose keys are called keys of `subject`.
  func called(_ subject: String) -> ArgumentPlace {
    ArgumentPlace(steps: steps, own: subject, subject: subject, isInFile: isInFile)
  }

  private init(steps: [Step], own: String, subject: String?, isInFile: Bool) {
    (self.steps, self.own, self.subject, self.isInFile) = (steps, own, subject, isInFile)
  }

  /// The member at `key` of the value here.
  package func member(_ key: String) -> ArgumentPlace {
    ArgumentPlace(
      steps: steps + [.key(key)], own: key, subject: subject == nil ? nil : own, isInFile: isInFile)
  }

  /// The element at `index` of the list here.
  package func element(_ index: Int) -> ArgumentPlace {
    ArgumentPlace(
      steps: steps + [.element(index)], own: "\(own)[\(index)]", subject: subject, isInFile: isInFile)
  }

  /// Such as `boards[0].profile`; empty for the outermost value.
  package var path: String { Self.path(steps[...]) }

  /// The same of what holds it.
  var holderPath: String { Self.path(steps.dropLast()) }

  private static func path(_ steps: ArraySlice<Step>) -> String {
    steps.reduce(into: "") { path, step in
      switch step {
      case .key(let key): path += path.isEmpty ? key : ".\(key)"
      case .element(let index): path += "[\(index)]"
      }
    }
  }

  /// Whether places here are called by their path, in words for who writes the file.
  var isPath: Bool { subject == nil }

  /// How the value here is called: `color of led`, `groups[0] of admit`, `mqtt.port`.
  var name: String {
    guard let subject else { return steps.isEmpty ? own : path }
    return "\(own) of \(subject)"
  }

  /// The same without what it belongs to, as what has keys: `led`, `color`, `mqtt.tls`.
  var title: String { subject == nil ? name : own }

  /// What the key here is a key of.
  var holder: String { subject ?? "the file" }
}

/// Something wrong with arguments or with the configuration file, with its place.
package struct ArgumentFault: Hashable, Sendable {
  /// What of the place is meant.
  package enum Part: Sendable {
    case value
    /// The key before the value.
    case key
    /// The key itself, as a name that has not its form.
    case name
    /// What holds it, because it is missing.
    case holder
  }

  package var place: ArgumentPlace
  package var part = Part.value
  package var severity = ConfigurationProblem.Severity.error
  /// One sentence for a person.
  package var text: String

  /// The key that is meant, such as `boards[0].profile`.
  package var path: String {
    part == .name ? "a key of \(place.holderPath)" : place.path
  }
}

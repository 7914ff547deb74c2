import FleetModel

/// One step of `metafleet try` and what came of it.
struct TryStep: Hashable, Sendable {
  /// The steps, in their order.
  enum Kind: String, Sendable, CaseIterable {
    case adapter, scan, connect, information, programs, battery, led, haptic, acceleration, disconnect
  }

  /// What came of a step.
  enum Outcome: Hashable, Sendable {
    case done
    /// On purpose; that is no failure.
    case leftOut
    case failed(ExitStatus)
  }

  var kind: Kind
  var outcome: Outcome
  /// One sentence for a person: what was done and read; else why not, and what to do.
  var text: String
  /// The same for programs, besides the step and its result.
  var data: JSONObject

  /// It was done.
  static func done(_ kind: Kind, _ text: String, _ data: JSONObject = [:]) -> TryStep {
    TryStep(kind: kind, outcome: .done, text: text, data: data)
  }

  /// It was left out on purpose.
  static func leftOut(_ kind: Kind, _ reason: String) -> TryStep {
    TryStep(kind: kind, outcome: .leftOut, text: reason, data: [:])
  }

  /// It was not done; `text` names cause and remedy.
  static func failed(
    _ kind: Kind, _ text: String, _ status: ExitStatus = .no, _ data: JSONObject = [:]
  ) -> TryStep {
    TryStep(kind: kind, outcome: .failed(status), text: text, data: data)
  }

  /// Labels stand in one column.
  private static let labelWidth = (Kind.allCases.map(\.rawValue.count).max() ?? 0) + 2

  /// The step in one line, with nothing in it that could steer a terminal.
  var line: String {
    let label = kind.rawValue + String(repeating: " ", count: max(1, Self.labelWidth - kind.rawValue.count))
    return switch outcome {
    case .done: label + printable(text)
    case .leftOut: label + "left out: " + printable(text)
    case .failed: label + "failed: " + printable(text)
    }
  }

  /// The step as one object.
  var json: JSONObject {
    var object: JSONObject = ["step": .string(kind.rawValue)]
    switch outcome {
    case .done: object["result"] = "done"
    case .leftOut:
      object["result"] = "left-out"
      object["reason"] = .string(text)
    case .failed:
      object["result"] = "failed"
      object["error"] = .string(text)
    }
    return object.merging(data)
  }
}

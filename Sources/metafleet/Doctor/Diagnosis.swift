import FleetModel

/// What one check of `metafleet doctor` found, in one line: what is so, and what to do where it is not right.
struct Diagnosis: Hashable, Sendable {
  /// The checks, in the order in which one needs the other.
  enum Check: String, Sendable, CaseIterable {
    case configuration, state, database, disk, clock
    case bus, bluetoothd, adapters, rfkill, helper
    case name = "broker-name"
    case port = "broker-port"
    case tls = "broker-tls"
    case login = "broker-login"
    case topics = "broker-topics"
    case retained, gateway
  }

  enum Verdict: String, Sendable, CaseIterable {
    /// The gateway cannot do its work.
    case broken
    /// It can, and something will be missing, or is perhaps not meant.
    case warning
    /// Nobody can tell from here.
    case unchecked
    case ok
  }

  var check: Check
  var verdict: Verdict
  /// What was found.
  var text: String
  /// What to do, as somebody would type it where it is a command.
  var fix: String?

  static func ok(_ check: Check, _ text: String) -> Diagnosis {
    Diagnosis(check: check, verdict: .ok, text: text)
  }

  static func warning(_ check: Check, _ text: String, fix: String) -> Diagnosis {
    Diagnosis(check: check, verdict: .warning, text: text, fix: fix)
  }

  static func broken(_ check: Check, _ text: String, fix: String) -> Diagnosis {
    Diagnosis(check: check, verdict: .broken, text: text, fix: fix)
  }

  /// `fix` is how it can be checked.
  static func unchecked(_ check: Check, _ text: String, fix: String? = nil) -> Diagnosis {
    Diagnosis(check: check, verdict: .unchecked, text: text, fix: fix)
  }

  /// The same as one object.
  var json: JSONObject {
    var object: JSONObject = [
      "check": .string(check.rawValue), "verdict": .string(verdict.rawValue), "text": .string(text),
    ]
    object["fix"] = fix.map { .string($0) }
    return object
  }

  private static let width = (Check.allCases.map(\.rawValue.count).max() ?? 0) + 2

  /// One line, with nothing in it that could steer a terminal.
  var line: String {
    let label =
      check.rawValue + String(repeating: " ", count: max(1, Self.width - check.rawValue.count))
    return "  \(label)\(printable(text))\(fix.map { ". \(printable($0))" } ?? "")"
  }
}

/// All that was found.
struct DoctorReport: Hashable, Sendable {
  var diagnoses: [Diagnosis]

  /// 1 where something is broken.
  var status: ExitStatus { diagnoses.contains { $0.verdict == .broken } ? .no : .ok }

  private static func title(_ verdict: Diagnosis.Verdict) -> String {
    switch verdict {
    case .broken: "broken"
    case .warning: "warning"
    case .unchecked: "could not be checked"
    case .ok: "ok"
    }
  }

  /// The checks in groups, the worst first.
  var lines: [String] {
    Diagnosis.Verdict.allCases.flatMap { verdict -> [String] in
      let found = diagnoses.filter { $0.verdict == verdict }
      return found.isEmpty ? [] : [Self.title(verdict)] + found.map(\.line)
    }
  }
}

/// The steps of one `metafleet try`, and what they come to.
struct TryReport: Hashable, Sendable {
  private(set) var steps: [TryStep] = []

  /// Takes the next step.
  mutating func add(_ step: TryStep) { steps.append(step) }

  /// 0 when every step was done or left out on purpose, else the status of the first that failed.
  var status: ExitStatus {
    for case .failed(let status) in steps.map(\.outcome) { return status }
    return .ok
  }
}

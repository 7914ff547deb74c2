/// What is asked of a gateway about rollouts of firmware (MQTT contract 4.3).
public enum RolloutRequest: Hashable, Sendable {
  case begin(RolloutOrder)
  case pause(id: String)
  case resume(id: String)
  case abort(id: String)
  /// Those that there are, and were lately.
  case list
}

/// New firmware for the boards of a group.
public struct RolloutOrder: Hashable, Sendable {
  /// The identifier of the request, and of the rollout from then on.
  public var id = ""
  /// The group whose boards get it.
  public var group = ""
  /// What they are to have.
  public var version: String
  /// How it goes over them.
  public var options: RolloutOptions
  /// Whether only the plan is wanted, and nothing begins.
  public var isDryRun: Bool

  /// Orders firmware; `id` and `group` come from the request.
  public init(version: String, options: RolloutOptions = RolloutOptions(), isDryRun: Bool = false) {
    (self.version, self.options, self.isDryRun) = (version, options, isDryRun)
  }
}

extension Intent {
  /// With what only the request knows, where that belongs to what is meant.
  func named(as request: CommandRequest) -> Intent {
    guard case .gateway(.rollout(.begin(var order))) = self, case .group(let group) = request.target else {
      return self
    }
    (order.id, order.group) = (request.id, group)
    return .gateway(.rollout(.begin(order)))
  }
}

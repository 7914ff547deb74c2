/// What a board shall do by itself: chains, timers and events by their names (MQTT contract 3.7, 3.8, 7.4).
public struct BoardProgram: Hashable, Sendable {
  /// A timer and what its ticks do.
  public struct Timer: Hashable, Sendable {
    /// From one tick to the next, at least 1.
    public var periodMilliseconds: UInt32
    /// nil = without end.
    public var repetitions: UInt16?
    /// Whether it fires as soon as it is started.
    public var isImmediate: Bool
    /// Whether it is started at once.
    public var isStarted: Bool
    /// What every tick does, in order.
    public var actions: [BoardAction]
    /// Whether its ticks come to the host, as a stream of its name.
    public var isStreamed: Bool

    /// Fires every `periodMilliseconds`.
    public init(
      periodMilliseconds: UInt32, repetitions: UInt16? = nil, isImmediate: Bool = false,
      isStarted: Bool = true,
      actions: [BoardAction] = [], isStreamed: Bool = false
    ) {
      (self.periodMilliseconds, self.repetitions) = (periodMilliseconds, repetitions)
      (self.isImmediate, self.isStarted, self.actions) = (isImmediate, isStarted, actions)
      self.isStreamed = isStreamed
    }

    /// Whether it is the same timer as `other`, whichever of them runs.
    public func ticks(like other: Timer) -> Bool {
      var other = other
      other.isStarted = isStarted
      return self == other
    }
  }

  /// A trigger and what it does.
  public struct Event: Hashable, Sendable {
    /// What triggers it.
    public var source: EventSource
    /// What is done then, in order.
    public var actions: [BoardAction]

    /// Does `actions` whenever `source` comes.
    public init(_ source: EventSource, _ actions: [BoardAction]) {
      (self.source, self.actions) = (source, actions)
    }
  }

  /// Chains of processors by name.
  public var chains: [String: Chain]
  /// Timers by name.
  public var timers: [String: Timer]
  /// Events by name.
  public var events: [String: Event]
  /// What is logged: streams, components, detectors and chains by name. Those with `every` are read by a timer of the
  /// board; other sensors run because somebody has them streamed.
  public var logs: [String: StreamRequest]

  /// Holds what is given.
  public init(
    chains: [String: Chain] = [:], timers: [String: Timer] = [:], events: [String: Event] = [:],
    logs: [String: StreamRequest] = [:]
  ) {
    (self.chains, self.timers, self.events, self.logs) = (chains, timers, events, logs)
  }

  /// Whether nothing is to be done.
  public var isEmpty: Bool { chains.isEmpty && timers.isEmpty && events.isEmpty && logs.isEmpty }

  /// Takes a timer away, and the events that wait for it. Returns whether there was one.
  @discardableResult
  public mutating func remove(timer name: String) -> Bool {
    guard timers.removeValue(forKey: name) != nil else { return false }
    events = events.filter { $0.value.source != .timer(name) }
    return true
  }

  /// Whether something in it starts or stops a stream, so that it depends on how that is configured.
  public var controlsStreams: Bool {
    let actions = timers.values.flatMap(\.actions) + events.values.flatMap(\.actions)
    return actions.contains { if case .stream = $0.command { true } else { false } }
  }
}

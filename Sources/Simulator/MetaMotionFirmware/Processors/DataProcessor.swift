/// What one kind of processor does with values (protocol reference 14.3): a pure machine that knows neither where
/// values come from nor where they go.
protocol DataProcessor: Sendable {
  /// Nil for a configuration of the wrong length or without sense.
  init?(configuration: [UInt8])

  /// What it puts out for a value that came in; nil for nothing.
  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]?

  /// What a state read shows; nil for a processor without state.
  var state: [UInt8]? { get }

  /// A state of the wrong length is dropped; an empty one means a reset.
  mutating func setState(_ bytes: [UInt8])

  /// Slots of the buffers whose values it wants with every input.
  var companions: [UInt8] { get }

  /// It replaces a processor of its kind because its configuration was modified.
  mutating func takeOver(_ previous: Self)
}

extension DataProcessor {
  var state: [UInt8]? { nil }

  mutating func setState(_ bytes: [UInt8]) {}

  var companions: [UInt8] { [] }

  mutating func takeOver(_ previous: Self) {}

  /// The same kind of processor with another configuration; nil if that makes no sense.
  func modified(_ configuration: [UInt8]) -> (any DataProcessor)? {
    guard var modified = Self(configuration: configuration) else { return nil }
    modified.takeOver(self)
    return modified
  }
}

/// What a processor may look at besides the value that came in.
struct ProcessorMoment: Sendable {
  /// Since the start of the board's processor.
  let uptime: Duration
  /// The values of its companions, in order.
  var companions: [[UInt8]] = []
}

import BoardKit

/// What stands in a processor's slot: source, slice, operation. Equal definitions compute the same.
struct ProcessorDefinition: Sendable {
  var source: SignalAddress
  var slice: Slice
  var operation: any ProcessorOperation

  init(source: SignalAddress, slice: Slice, operation: any ProcessorOperation) {
    (self.source, self.slice, self.operation) = (source, slice, operation)
  }

  /// Works on a signal.
  init(on signal: Signal, _ operation: any ProcessorOperation) {
    self.init(source: signal.address, slice: signal.slice, operation: operation)
  }

  /// Creates it; the board answers with the slot.
  var command: [UInt8] {
    Processor.creation.write(source.bytes + [slice.byte, type(of: operation).code] + operation.bytes)
  }

  /// Reads the answer to a read of `creation`, which does not repeat the slot; nil for an empty slot or a type that no
  /// host makes.
  init?(_ reply: [UInt8], on dialect: ProcessorDialect) {
    guard reply.count > 7, let source = SignalAddress(reply, at: 2),
      let operation = ProcessorOperations.decode(reply[6], Array(reply[7...]), on: dialect)
    else { return nil }
    self.init(source: source, slice: Slice(reply[5]), operation: operation)
  }
}

extension ProcessorDefinition: Hashable {
  static func == (left: ProcessorDefinition, right: ProcessorDefinition) -> Bool {
    left.command == right.command
  }
  func hash(into hasher: inout Hasher) { hasher.combine(command) }
}

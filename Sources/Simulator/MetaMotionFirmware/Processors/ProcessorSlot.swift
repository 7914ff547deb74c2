/// A processor in its place: what it listens to, which bytes of that it takes, and what was written to create it.
struct ProcessorSlot: Sendable {
  private static let accounter: UInt8 = 0x11

  let source: SignalSource
  private let slice: SignalSlice
  private let type: UInt8
  private var configuration: [UInt8]
  var processor: any DataProcessor
  /// Whether its output goes to the host.
  var notifies = false

  /// Source, slice, type and configuration; nil for what the firmware does not know.
  init?(_ payload: [UInt8]) {
    guard payload.count > 4, let source = SignalSource(payload) else { return nil }
    let configuration = Array(payload[5...])
    guard let processor = ProcessorTable.types[payload[4]]?.init(configuration: configuration) else {
      return nil
    }
    self.source = source
    slice = SignalSlice(byte: payload[3])
    type = payload[4]
    self.configuration = configuration
    self.processor = processor
  }

  /// As in the create command, with the configuration as it is now.
  var bytes: [UInt8] { source.bytes + [slice.byte, type] + configuration }

  /// The accounter puts its prefix before the whole of another processor's output, a packer's for example.
  func input(of payload: [UInt8]) -> [UInt8]? {
    let takesAll = type == Self.accounter && source.module == ProcessorModule.id
    return takesAll ? payload : slice.input(of: payload)
  }

  /// Another type or a configuration without sense changes nothing.
  mutating func modify(type: UInt8, configuration: [UInt8]) {
    guard type == self.type, let modified = processor.modified(configuration) else { return }
    processor = modified
    self.configuration = configuration
  }

  /// Whether it listens to the processor `id`, or takes values from it.
  func builds(on id: UInt8) -> Bool {
    source.module == ProcessorModule.id && source.index == id || processor.companions.contains(id)
  }
}

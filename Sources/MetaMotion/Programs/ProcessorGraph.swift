/// The processors of a board and what flows through them.
struct ProcessorGraph: Sendable {
  /// What stands in the slots.
  var slots: [UInt8: ProcessorDefinition] = [:]
  var chip: Accelerometer.Chip?
  var scales = SignalScales()

  /// The slot whose output or state comes out at `address`; nil for any other signal.
  static func slot(at address: SignalAddress) -> UInt8? {
    address.register == Processor.output || address.register == Processor.state ? address.index : nil
  }

  /// What the slot computes with: other processors' slots, main input first.
  func inputs(of slot: UInt8) -> [UInt8] {
    guard let definition = slots[slot] else { return [] }
    let main = Self.slot(at: definition.source).map { [$0] } ?? []
    return main + ((definition.operation as? Fuser)?.buffers ?? [])
  }

  /// The slots that compute with this slot's output, lowest first.
  func consumers(of slot: UInt8) -> [UInt8] {
    slots.keys.filter { $0 != slot && inputs(of: $0).contains(slot) }.sorted()
  }

  /// The order in which the slot and all that hangs on it can be removed: consumers first (trap T37).
  func removalOrder(of slot: UInt8) -> [UInt8] {
    var order: [UInt8] = []
    var seen: Set<UInt8> = []
    func visit(_ slot: UInt8) {
      guard seen.insert(slot).inserted else { return }
      for consumer in consumers(of: slot) { visit(consumer) }
      order.append(slot)
    }
    visit(slot)
    return order
  }

  /// What comes out at `address`, cut to `slice` where that is less; nil where something on the way is not known.
  func layout(at address: SignalAddress, _ slice: Slice? = nil) -> SampleLayout? {
    layout(at: address, slice, [])
  }

  private func layout(at address: SignalAddress, _ slice: Slice?, _ seen: Set<UInt8>) -> SampleLayout? {
    guard let slot = Self.slot(at: address) else { return rootLayout(at: address, slice) }
    guard !seen.contains(slot), let definition = slots[slot],
      let input = layout(at: definition.source, definition.slice, seen.union([slot]))
    else { return nil }
    if address.register == Processor.state { return definition.operation.state(of: input) }
    var buffers: [SampleLayout] = []
    for buffer in (definition.operation as? Fuser)?.buffers ?? [] {
      guard let kept = layout(at: .state(ofProcessor: buffer), nil, seen.union([slot])) else { return nil }
      buffers.append(kept)
    }
    return definition.operation.output(of: input, with: buffers)
  }

  private func rootLayout(at address: SignalAddress, _ slice: Slice?) -> SampleLayout? {
    guard let root = SensorModules.signal(at: address, on: chip) else { return nil }
    let signal = root.signal(index: address.index, scales)
    // How many bytes of a device are read, and what they mean, only those know who ask for them: bytes, as many as are
    // taken.
    if address.register.module == .serial, let slice, (1...4).contains(slice.length) {
      return .numbers(.plain(1, channels: slice.length))
    }
    guard let slice, let index = component(of: signal, slice) else { return signal.layout }
    return signal.component(index)?.layout
  }

  /// Which component of `signal` the slice is; nil when it is all of it, or none in particular.
  private func component(of signal: Signal, _ slice: Slice) -> Int? {
    if slice == Slice(signal.slice.byte) { return nil }
    var index = 0
    while let component = signal.component(index) {
      if component.slice == slice { return index }
      index += 1
    }
    return nil
  }

  /// The canonical name of what comes out at `address`, from the root to the leaf (protocol reference, section 29.1).
  func name(of address: SignalAddress, _ slice: Slice? = nil) -> String { name(of: address, slice, []) }

  private func name(of address: SignalAddress, _ slice: Slice?, _ seen: Set<UInt8>) -> String {
    guard let slot = Self.slot(at: address) else { return rootName(of: address, slice) }
    guard !seen.contains(slot), let definition = slots[slot] else { return "processor?id=\(slot)" }
    let before = name(of: definition.source, definition.slice, seen.union([slot]))
    let suffix = address.register == Processor.state ? "-state" : ""
    return "\(before):\(definition.operation.name)\(suffix)?id=\(slot)"
  }

  private func rootName(of address: SignalAddress, _ slice: Slice?) -> String {
    let channel = address.index.map { "[\($0)]" } ?? ""
    guard let root = SensorModules.signal(at: address, on: chip) else {
      return "\(address.register.module.name)-register-\(address.register.number)\(channel)"
    }
    let signal = root.signal(index: address.index, scales)
    let part = slice.flatMap { component(of: signal, $0) }.map { "[\($0)]" } ?? ""
    return root.name + channel + part
  }
}

/// Something on the board that yields samples: a sensor, a part of one, or what a processor makes of it.
struct Signal: Hashable, Sendable {
  var address: SignalAddress
  /// Of its first byte in what the address yields.
  var offset = 0
  var layout: SampleLayout

  /// What consumers on the board are told to take.
  var slice: Slice { Slice(offset: offset, length: layout.elementLength) }

  /// One number of a vector, or one part of a record; nil where there is no such part.
  func component(_ index: Int) -> Signal? {
    guard index >= 0 else { return nil }
    switch layout {
    case .numbers(var numbers):
      guard index < numbers.channels, numbers.channels > 1 else { return nil }
      numbers.channels = 1
      return Signal(address: address, offset: offset + index * numbers.width, layout: .numbers(numbers))
    case .record(let parts):
      guard parts.indices.contains(index) else { return nil }
      let before = parts[..<index].reduce(0) { $0 + $1.byteCount }
      return Signal(address: address, offset: offset + before, layout: parts[index])
    case .prefixed, .packed: return nil
    }
  }

  /// One of its numbers, counted through all parts of a record; nil where there are not so many.
  func value(_ place: Int) -> Signal? {
    guard case .record(let parts) = layout else { return component(place) }
    var (place, before) = (place, 0)
    for part in parts {
      let whole = Signal(address: address, offset: offset + before, layout: part)
      let count = part.numbers?.channels ?? 0
      if place < count { return count == 1 ? whole : whole.component(place) }
      place -= count
      before += part.byteCount
    }
    return nil
  }

  /// The source as one that a processor hears: firmware 1.7 hands only loud reads to processors (trap T51). Where
  /// the border lies is not known; the vendor's tests fix the silent form for older firmware.
  func heardByProcessors(on dialect: ProcessorDialect) -> Signal {
    guard address.isRead else { return self }
    var signal = self
    signal.address = address.reached(by: dialect.processorsHearLoudReads ? .read : .silentRead)
    return signal
  }

  /// The source as one that a logger hears: silent reads alone reach loggers (protocol reference, section 2.2).
  var heardByLoggers: Signal {
    guard address.isRead else { return self }
    var signal = self
    signal.address = address.reached(by: .silentRead)
    return signal
  }
}

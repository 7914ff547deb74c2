/// A value on its way to the host and to whoever on the board listens to its source.
struct Signal: Sendable, Equatable {
  let source: SignalSource
  /// The value alone, without module, register and index.
  let payload: [UInt8]
  /// False if it is the answer to a read, which has been given already.
  let isFired: Bool

  /// As the host gets it: the index, where there is one, comes before the value.
  var packet: [UInt8] {
    let index = source.index == SignalSource.noIndex ? [] : [source.index]
    return Packet.notification(module: source.module, register: source.register, index + payload)
  }
}

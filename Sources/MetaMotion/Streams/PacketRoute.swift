import BoardKit
import FleetModel

/// Where packets with one header go, and how they are read on the way.
struct PacketRoute: Hashable, Sendable {
  /// `Register.notificationHeader` of the packets.
  let header: UInt16
  /// The first byte behind the header that the packets must have, where one register serves several pins.
  let selector: UInt8?
  let layout: PacketLayout
  /// Nanoseconds from one sample to the next, for packets with several.
  let period: Int64
  /// The streams that take the samples.
  let outputs: StreamOutputs
  /// Whether the packets are raw vectors that one stream takes whole: nearly all there is to do on most boards.
  let isPlainVector: Bool
  /// What the packets tell beside samples.
  var notice: Notice?

  init(
    _ register: Register, _ layout: PacketLayout, selector: UInt8? = nil, period: Duration = .zero,
    outputs: StreamOutputs = StreamOutputs(), notice: Notice? = nil
  ) {
    header = register.notificationHeader
    self.selector = selector
    self.layout = layout
    self.period = period.wholeNanoseconds
    self.outputs = outputs
    isPlainVector =
      layout.number == .int16 && layout.count == 3 && !layout.hasAccuracy && outputs.whole != nil
      && !outputs.hasComponents && selector == nil && notice == nil
    self.notice = notice
  }

  /// Packets of a signal, one sample each.
  init(
    _ signal: SensorSignal, selector: UInt8? = nil, outputs: StreamOutputs = StreamOutputs(),
    notice: Notice? = nil
  ) {
    self.init(signal.register, signal.packets(), selector: selector, outputs: outputs, notice: notice)
  }

  /// Whether somebody wants what comes.
  var isWanted: Bool { !outputs.isEmpty || notice != nil }
}

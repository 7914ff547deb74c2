import BoardKit
import FleetModel

/// Turns notifications into readings and events, for the streams that are wanted now.
///
/// The hot path: no allocation beyond the reused buffers, no failure, no trap for any packet, and nothing in here that
/// is counted by reference, for that costs more than the decoding. Bytes behind the ones a register is known for are
/// ignored, as the vendor's hosts do.
struct PacketDecoder: Sendable {
  /// The streams taken from packets with a vector: the whole of it, and its components by themselves.
  struct VectorOutputs: Hashable, Sendable {
    var vector: StreamKey?
    var x: StreamKey?
    var y: StreamKey?
    var z: StreamKey?

    /// The streams there are.
    var streams: [StreamKey] { [vector, x, y, z].compactMap(\.self) }

    /// Adds a stream of the vector, or of its component 0–2.
    mutating func add(_ stream: StreamKey, component: Int?) {
      switch component {
      case nil: vector = stream
      case 0: x = stream
      case 1: y = stream
      default: z = stream
      }
    }
  }

  /// How acceleration packets are to be read.
  struct Acceleration: Hashable, Sendable {
    /// Whether the packed register delivers, with three samples per packet.
    var isPacked: Bool
    /// g per raw count.
    var scale: Double
    /// Nanoseconds from one sample to the next.
    var period: Int64
    var outputs = VectorOutputs()
  }

  /// Nil while nobody wants acceleration.
  var acceleration: Acceleration?
  /// Streams of flags, as far as they are wanted.
  var switchStream: StreamKey?
  var powerStream: StreamKey?
  var chargeStream: StreamKey?
  /// Whether presses and releases of the button are wanted as events.
  var reportsButton = false
  /// The packed register of this board's chip; nil where there is none.
  private let packedHeader: UInt16?

  private static let plainHeader = Accelerometer.data.notificationHeader
  private static let switchHeader = Switch.state.notificationHeader
  private static let powerHeader = PowerSupply.powerStatus.notificationHeader
  private static let chargeHeader = PowerSupply.chargeStatus.notificationHeader

  /// Reads packets of a board with this accelerometer; wants nothing yet.
  init(accelerometer: Accelerometer?) { packedHeader = accelerometer?.packedData?.notificationHeader }

  /// Decodes one packet that arrived at `arrival`.
  func decode(_ packet: RawSpan, at arrival: Timestamp, into decoded: inout DecodedPackets) -> PacketVerdict {
    guard let header = Self.header(of: packet) else { return .malformed }
    if header == packedHeader { return decodePacked(packet, at: arrival, into: &decoded.readings) }
    if header == Self.plainHeader { return decodePlain(packet, at: arrival, into: &decoded.readings) }
    switch header {
    case Self.switchHeader:
      return decodeFlag(packet, switchStream, isButton: reportsButton, at: arrival, into: &decoded)
    case Self.powerHeader: return decodeFlag(packet, powerStream, at: arrival, into: &decoded)
    case Self.chargeHeader: return decodeFlag(packet, chargeStream, at: arrival, into: &decoded)
    default: return Module(rawValue: UInt8(truncatingIfNeeded: header)) == nil ? .malformed : .unwanted
    }
  }

  /// Module and register, as `Register.notificationHeader`; nil for a packet that is too short to have them.
  static func header(of packet: RawSpan) -> UInt16? {
    guard packet.byteCount >= 2 else { return nil }
    return UInt16(littleEndian: packet.unsafeLoadUnaligned(as: UInt16.self))
  }

  /// Three samples, the last of which was taken as the packet arrived.
  private func decodePacked(
    _ packet: RawSpan, at arrival: Timestamp, into readings: inout ReadingBuffer
  ) -> PacketVerdict {
    guard packet.byteCount >= 20 else { return .malformed }
    guard let acceleration, acceleration.isPacked else { return .unwanted }
    let last = arrival.nanoseconds
    let period = acceleration.period
    let first = Timestamp(nanoseconds: last &- 2 &* period)
    Self.append(packet, at: 2, first, acceleration, to: &readings)
    Self.append(packet, at: 8, Timestamp(nanoseconds: last &- period), acceleration, to: &readings)
    Self.append(packet, at: 14, arrival, acceleration, to: &readings)
    return .taken
  }

  private func decodePlain(
    _ packet: RawSpan, at arrival: Timestamp, into readings: inout ReadingBuffer
  ) -> PacketVerdict {
    guard packet.byteCount >= 8 else { return .malformed }
    guard let acceleration, !acceleration.isPacked else { return .unwanted }
    Self.append(packet, at: 2, arrival, acceleration, to: &readings)
    return .taken
  }

  /// Adds the sample that begins at `offset`; the caller has checked that its six bytes are there.
  private static func append(
    _ packet: RawSpan, at offset: Int, _ time: Timestamp, _ acceleration: Acceleration,
    to readings: inout ReadingBuffer
  ) {
    func value(_ index: Int) -> Double {
      let raw = packet.unsafeLoadUnaligned(fromByteOffset: offset &+ 2 &* index, as: Int16.self)
      return Double(Int16(littleEndian: raw)) * acceleration.scale
    }
    let outputs = acceleration.outputs
    if let vector = outputs.vector { readings.append(vector, at: time, value(0), value(1), value(2)) }
    if let x = outputs.x { readings.append(x, at: time, value(0)) }
    if let y = outputs.y { readings.append(y, at: time, value(1)) }
    if let z = outputs.z { readings.append(z, at: time, value(2)) }
  }

  private func decodeFlag(
    _ packet: RawSpan, _ stream: StreamKey?, isButton: Bool = false, at arrival: Timestamp,
    into decoded: inout DecodedPackets
  ) -> PacketVerdict {
    guard packet.byteCount >= 3 else { return .malformed }
    let isSet = packet.unsafeLoad(fromByteOffset: 2, as: UInt8.self) != 0
    if let stream { decoded.readings.append(stream, at: arrival, isSet ? 1 : 0) }
    if isButton { decoded.events.append((.button(isPressed: isSet), arrival)) }
    return stream != nil || isButton ? .taken : .unwanted
  }
}

import BoardKit
import FleetModel

/// Turns notifications into readings and events, by a table of routes for the streams that are wanted now.
///
/// The hot path: no allocation beyond the reused buffers, no failure, no trap for any packet, no closure, and nothing
/// in here that is counted by reference per packet, for that costs more than the decoding. Bytes behind the ones a
/// register is known for are ignored, as the vendor's hosts do. Not copyable for the same reason: it is lent where it
/// lies.
struct PacketDecoder: ~Copyable, Sendable {
  /// Those that are wanted first: they are looked up for nearly every packet.
  private let routes: [PacketRoute]

  /// Reads packets of the registers of `routes`; of one register, what nobody wants is known all the same.
  init(routes: [PacketRoute] = []) {
    self.routes = routes.filter(\.isWanted) + routes.filter { !$0.isWanted }
  }

  /// Decodes one packet that arrived at `arrival`.
  func decode(_ packet: RawSpan, at arrival: Timestamp, into decoded: inout DecodedPackets) -> PacketVerdict {
    guard let header = Self.header(of: packet) else { return .malformed }
    let routes = routes.span
    var isKnown = false
    for index in routes.indices where routes[index].header == header {
      let layout = routes[index].layout
      guard packet.byteCount >= layout.length else { return .malformed }
      if routes[index].isPlainVector, let stream = routes[index].outputs.whole {
        let period = routes[index].period
        decoded.readings.append(
          stream, at: Timestamp(nanoseconds: arrival.nanoseconds &- Int64(layout.samples &- 1) &* period),
          every: period, vectors: packet.extracting(layout.offset..<layout.length), scale: layout.scale)
        return .taken
      }
      let route = routes[index]
      isKnown = true
      if let selector = route.selector, Self.number(packet, at: 2, as: UInt8.self) != selector { continue }
      guard route.isWanted else { return .unwanted }
      let hasSamples = !route.outputs.isEmpty && packet.byteCount >= route.layout.fullLength
      if hasSamples { Self.take(packet, route, at: arrival, into: &decoded.readings) }
      guard let notice = route.notice else { return hasSamples ? .taken : .unwanted }
      // Registers that tell something by a flag have it where their first sample begins.
      let flags = Self.number(packet, at: route.layout.offset, as: UInt8.self)
      let hasNoticed = notice.appendEvents(
        flags, length: packet.byteCount, at: arrival, into: &decoded.events)
      return hasNoticed || hasSamples ? .taken : .unwanted
    }
    if isKnown { return .unwanted }
    return Module(rawValue: UInt8(truncatingIfNeeded: header)) == nil ? .malformed : .unwanted
  }

  /// Module and register, as `Register.notificationHeader`; nil for a packet that is too short to have them.
  static func header(of packet: RawSpan) -> UInt16? {
    packet.byteCount >= 2 ? number(packet, at: 0, as: UInt16.self) : nil
  }

  /// Adds the samples of a packet, which has been found long enough.
  private static func take(
    _ packet: RawSpan, _ route: PacketRoute, at arrival: Timestamp, into readings: inout ReadingBuffer
  ) {
    let layout = route.layout
    var offset = layout.offset
    var time = arrival.nanoseconds &- Int64(layout.samples &- 1) &* route.period
    for _ in 0..<layout.samples {
      append(packet, at: offset, Timestamp(nanoseconds: time), route, to: &readings)
      offset &+= layout.stride
      time &+= route.period
    }
  }

  /// Adds the sample that begins at `offset`.
  private static func append(
    _ packet: RawSpan, at offset: Int, _ time: Timestamp, _ route: PacketRoute,
    to readings: inout ReadingBuffer
  ) {
    let layout = route.layout
    let outputs = route.outputs
    let first = value(packet, layout, 0, offset)
    let second = value(packet, layout, 1, offset)
    let third = value(packet, layout, 2, offset)
    let fourth = value(packet, layout, 3, offset)
    if let whole = outputs.whole {
      switch layout.count &+ (layout.hasAccuracy ? 1 : 0) {
      case 1: readings.append(whole, at: time, first)
      case 2: readings.append(whole, at: time, first, second)
      case 3: readings.append(whole, at: time, first, second, third)
      default: readings.append(whole, at: time, first, second, third, fourth)
      }
    }
    guard outputs.hasComponents else { return }
    if let stream = outputs.first { readings.append(stream, at: time, first) }
    if let stream = outputs.second { readings.append(stream, at: time, second) }
    if let stream = outputs.third { readings.append(stream, at: time, third) }
    if let stream = outputs.fourth { readings.append(stream, at: time, fourth) }
  }

  /// The value `index` of the sample that begins at `start`; 0 for one the sample does not have.
  private static func value(
    _ packet: RawSpan, _ layout: PacketLayout, _ index: Int, _ start: Int
  ) -> Double {
    guard index < layout.count else {
      guard layout.hasAccuracy, index == layout.count else { return 0 }
      return Double(number(packet, at: start &+ layout.stride &- 1, as: UInt8.self))
    }
    let offset = start &+ index &* layout.number.width
    let raw: Double
    switch layout.number {
    case .flag: return number(packet, at: offset, as: UInt8.self) == 0 ? 0 : 1
    case .uint8: raw = Double(number(packet, at: offset, as: UInt8.self))
    case .int16: raw = Double(number(packet, at: offset, as: Int16.self))
    case .uint16: raw = Double(number(packet, at: offset, as: UInt16.self))
    case .int32: raw = Double(number(packet, at: offset, as: Int32.self))
    case .uint32: raw = Double(number(packet, at: offset, as: UInt32.self))
    case .float32: raw = Double(Float(bitPattern: number(packet, at: offset, as: UInt32.self)))
    }
    return raw * layout.scale
  }

  /// The little-endian number at `offset`; the caller has checked that it is there, and the span checks again.
  @inline(__always)
  private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ packet: RawSpan, at offset: Int, as type: Number.Type
  ) -> Number {
    Number(littleEndian: packet.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }
}

import BoardKit
import FleetModel

/// A value that a sensor of the board yields, said once: where it comes out, how it is written, what it counts, what it
/// is called. How its packets are read, what loggers and processors take of it, and its row in explanations follow from
/// here.
struct SensorSignal: Sendable {
  /// Numbers of one kind, side by side.
  struct Values: Sendable {
    /// How one number is written.
    var number: PacketLayout.Number
    /// What people call them, one word a number, 1–4.
    var labels: [String]
    /// Counts per unit.
    var scale = Scale.fixed(1)
    var unit = Numbers.Unit.none
    /// The unit in words, where it is none of physics.
    var unitWords: String?
    /// What the codes 0, 1, 2 … mean, where they are codes.
    var words: [String] = []
  }

  /// How the host comes by it.
  enum Access: Sendable {
    /// The board tells it by itself.
    case notified
    /// The board tells nothing until it is asked.
    case read
    case both
  }

  /// How many counts make one unit.
  enum Scale: Sendable {
    case fixed(Double)
    /// As many as the sensor's range makes them.
    case ranged(SensorRange)
  }

  /// Which of several values behind one register is meant; it stands between the header and the value.
  struct Index: Sendable {
    /// That of a stream, on a board; nil for any other stream.
    var of: @Sendable (_ stream: String, _ board: Inventory) -> UInt8?
    /// The index in words.
    var layout: RegisterMeaning.Layout
    /// What the host says when it asks, in words; the index where that is all.
    var question: RegisterMeaning.Layout

    init(
      of place: @escaping @Sendable (_ stream: String, _ board: Inventory) -> UInt8?,
      layout: @escaping RegisterMeaning.Layout, question: RegisterMeaning.Layout? = nil
    ) {
      (self.of, self.layout, self.question) = (place, layout, question ?? layout)
    }
  }

  /// Canonical name, without channel or component (protocol reference, section 29.1).
  let name: String
  /// The stream of the catalogue that it is; nil for none, and where `index` tells them apart.
  var stream: String?
  /// The register in words.
  var title: String
  let register: Register
  /// Where three samples come in one packet, on firmware that can.
  var packed: Register?
  var access = Access.notified
  var index: Index?
  let values: Values
  /// What follows them: an accuracy, or numbers of another kind.
  var further: Values?

  /// How the numbers lie in one packet of `register`.
  ///
  /// With `isOptional`, a packet may end after one byte, which then is no sample.
  func packets(_ scales: SignalScales = SignalScales(), isOptional: Bool = false) -> PacketLayout {
    PacketLayout(
      values.number, count: values.labels.count, scale: 1 / scales.countsPerUnit(values.scale),
      hasAccuracy: further?.number.width == 1, offset: headerLength, isOptional: isOptional)
  }

  /// How one sample lies in what processors and loggers take.
  func layout(_ scales: SignalScales = SignalScales()) -> SampleLayout {
    let first = SampleLayout.numbers(values.numbers(scales))
    guard let further else { return first }
    return .record([first, .numbers(further.numbers(scales))])
  }

  /// The signal on a board, at `index` where there are several.
  func signal(index: UInt8? = nil, _ scales: SignalScales = SignalScales()) -> Signal {
    Signal(
      address: SignalAddress(
        register, isNotified ? .notified : .silentRead, index: self.index == nil ? nil : index),
      layout: layout(scales))
  }

  /// The values in an answer, in the catalogue's order; nil when it is too short. For what is read once, not for
  /// streams.
  func values(in reply: [UInt8], _ scales: SignalScales = SignalScales()) -> [Double]? {
    guard let decoded = layout(scales).samples(in: Array(reply.dropFirst(headerLength)))?.first?.values else {
      return nil
    }
    return values.number == .flag ? decoded.map { $0 == 0 ? 0 : 1 } : decoded
  }

  /// A byte of flags as the chip writes it, for the board's own programs.
  static func flags(_ name: String, stream: String? = nil, in register: Register) -> SensorSignal {
    SensorSignal(
      name: name, stream: stream, title: name, register: register,
      values: .init(number: .uint8, labels: ["flags"]))
  }

  /// All registers in which it comes by itself.
  var notified: [Register] { isNotified ? [register] + [packed].compactMap(\.self) : [] }

  var isNotified: Bool { access != .read }
  var isReadable: Bool { access != .notified }

  private var headerLength: Int { index == nil ? 2 : 3 }
}

extension SensorSignal.Values {
  /// Three numbers along the axes.
  static func axes(
    _ number: PacketLayout.Number, _ scale: SensorSignal.Scale, _ unit: Numbers.Unit
  ) -> SensorSignal.Values {
    .init(number: number, labels: ["x", "y", "z"], scale: scale, unit: unit)
  }

  /// A byte that is 0 or not.
  static func flag(_ label: String) -> SensorSignal.Values { .init(number: .flag, labels: [label]) }

  /// How they lie in what processors and loggers take.
  func numbers(_ scales: SignalScales) -> Numbers {
    Numbers(
      channels: labels.count, width: number.width, isSigned: number.isSigned, isFloat: number == .float32,
      scale: scales.countsPerUnit(scale), unit: unit)
  }
}

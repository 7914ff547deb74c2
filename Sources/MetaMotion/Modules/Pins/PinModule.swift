import BoardKit
import FleetModel

extension Pin: SensorModule {
  static let voltage = SensorSignal(
    name: "abs-ref", title: "voltage", register: Register(.gpio, 0x06), access: .read,
    index: index(.voltage, question: measurement),
    values: .init(number: .uint16, labels: ["voltage"], unit: .mv))
  static let adc = SensorSignal(
    name: "adc", title: "share of the supply", register: Register(.gpio, 0x07), access: .read,
    index: index(.adc, question: measurement),
    values: .init(number: .uint16, labels: ["share"], unitWords: "of 1023"))
  static let digital = SensorSignal(
    name: "digital", title: "level", register: Register(.gpio, 0x08), access: .read, index: index(.digital),
    values: .flag("high"))
  static let change = SensorSignal(
    name: "pin-monitor", title: "change", register: Register(.gpio, 0x0A), index: index(.change),
    values: .flag("high"))

  /// Pins that the board has, by their streams' names.
  private static func index(
    _ kind: PinStreams.Kind, question: RegisterMeaning.Layout? = nil
  ) -> SensorSignal.Index {
    SensorSignal.Index(
      of: { stream, board in
        guard let parsed = PinStreams.parse(stream), parsed.kind == kind,
          parsed.pin < board.modules[.gpio]?.extra.count ?? 0
        else { return nil }
        return UInt8(exactly: parsed.pin)
      }, layout: pin, question: question)
  }

  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { [voltage, adc, digital, change] }

  static var sources: [any StreamSource.Type] { [PinSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? { nil }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] { meanings }

  private static let meanings: [RegisterMeaning] = [
    .action(0x01, "drive high", pin), .action(0x02, "drive low", pin), .action(0x03, "pull up", pin),
    .action(0x04, "pull down", pin), .action(0x05, "no pull", pin),
    RegisterMeaning(
      number: 0x09, name: "which edges are changes", write: changes, question: pin, answer: changes),
    RegisterMeaning(
      number: change.register.number, name: change.title, write: RegisterMeaning.subscription,
      notification: change.sample),
    .action(0x0B, "notice changes") { reader in
      pin(&reader)
      reader.flag("on")
    },
  ]

  private static let pin: RegisterMeaning.Layout = { $0.number("pin", UInt8.self) }

  private static let changes: RegisterMeaning.Layout = { reader in
    // Whether answers repeat the pin is not known.
    if reader.rest.count > 1 { pin(&reader) }
    reader.choice("edges", ["none", "rising", "falling", "any"])
  }

  private static let measurement: RegisterMeaning.Layout = { reader in
    pin(&reader)
    guard !reader.rest.isEmpty else { return }
    for name in ["pull-up pin", "pull-down pin"] { reader.slot(name) }
    reader.number("delay", UInt8.self, "× 4 µs")
    reader.slot("virtual pin")
  }
}

package import FleetModel

/// The `led` document of a board, in Home Assistant's form of a light (MQTT contract 1.4).
package struct LEDDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ state: LEDState) {
    self.init {
      $0[.state] = state.appearance == nil ? "OFF" : "ON"
      $0[.time] = state.time
      guard let appearance = state.appearance else { return }
      let (color, brightness) = Self.normalised(appearance)
      $0[.colorMode] = "rgb"
      $0[.color] = color
      $0[.brightness] = brightness
      $0[.effect] = appearance.effect
      $0[.until] = state.until
    }
  }

  /// The largest part of the colour becomes 255, and what that adds is taken from the brightness.
  private static func normalised(_ appearance: LEDAppearance) -> (color: JSONObject, brightness: Int) {
    let color = appearance.color
    let largest = max(color.red, color.green, color.blue)
    func part(_ value: UInt8) -> JSONValue {
      largest == 0 ? 0 : .integer(Int64((Double(value) * 255 / Double(largest)).rounded()))
    }
    return (
      ["r": part(color.red), "g": part(color.green), "b": part(color.blue)],
      Int((Double(appearance.brightness) * Double(largest) / 255).rounded())
    )
  }

  /// Red, green and blue, from 0 to 255.
  package var colorParts: [Int] { ["r", "g", "b"].map { self[.color]?[$0].flatMap { Int(json: $0) } ?? 0 } }
}

extension DocumentField where Document == LEDDocument, Value == String {
  /// `ON` or `OFF`.
  package static var state: Self { .init("state") }
  static var colorMode: Self { .init("color_mode") }
  package static var effect: Self { .init("effect") }
}

extension DocumentField where Document == LEDDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
  package static var until: Self { .init("until_ms") }
}

extension DocumentField where Document == LEDDocument, Value == JSONObject {
  fileprivate static var color: Self { .init("color") }
}

extension DocumentField where Document == LEDDocument, Value == Int {
  /// From 0 to 255.
  package static var brightness: Self { .init("brightness") }
}

import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.5, 3.9.
@Suite struct DesiredPinsTests {
  private static let cases: [(commands: [PinCommand], kept: [PinCommand])] = [
    ([PinCommand(pin: 1, change: .any)], [PinCommand(pin: 1, change: .any)]),
    (
      [PinCommand(pin: 1, isHigh: true, pull: .up, change: .rising)],
      [PinCommand(pin: 1, pull: .up, change: .rising)]
    ),
    // Another pull of a watched pin counts, of any other pin not.
    (
      [PinCommand(pin: 1, change: .any), PinCommand(pin: 1, pull: .down), PinCommand(pin: 2, pull: .up)],
      [PinCommand(pin: 1, pull: .down, change: .any)]
    ),
    (
      [
        PinCommand(pin: 3, pull: .up, change: .any), PinCommand(pin: 0, change: .falling),
        PinCommand(pin: 3, change: .rising),
      ],
      [PinCommand(pin: 0, change: .falling), PinCommand(pin: 3, pull: .up, change: .rising)]
    ),
    ([PinCommand(pin: 1, pull: .up, change: .any), PinCommand(pin: 1, change: .off)], []),
    ([PinCommand(pin: 1, change: .off)], []), ([PinCommand(pin: 1, isHigh: false)], []),
  ]

  @Test(arguments: cases.indices)
  func `what was begun is kept until its end`(index: Int) {
    let (commands, kept) = Self.cases[index]
    var overlay = PinOverlay()
    for command in commands { overlay.note(command) }
    #expect(overlay.commands == kept)
    #expect(overlay.isEmpty == kept.isEmpty)
    #expect(PinOverlay(document: overlay.document) == overlay)
  }

  @Test func `what is no pin is dropped`() {
    let document: JSONObject = [
      "1": ["change": "sideways"], "x": ["change": "any"], "300": ["change": "any"], "2": 3,
    ]
    #expect(PinOverlay(document: document).isEmpty)
  }
}

import BoardKit
import FleetModel

@testable import MetaMotion

/// Resets, and what the debug module tells.
struct DebugPhrases: VectorArea {
  init(on board: Inventory) {}

  func perform(_ phrase: String, on stage: inout VectorStage) -> Bool {
    switch phrase {
    case "enable power save on reset": stage.write(Debug.powerSave)
    case "soft reset": stage.write(Debug.reset)
    case "reset after garbage collection": stage.write(Debug.resetWhenDisconnected)
    case "read scheduler queue usage": stage.write(Debug.queueUsage.read())
    case "set stack overflow assertion off": stage.write(Debug.assertStackOverflow(false))
    case "set stack overflow assertion on": stage.write(Debug.assertStackOverflow(true))
    case "read key register": stage.write(Debug.key.read())
    default: false
    }
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    switch packet.prefix(2) {
    case [0xFE, 0x84]:
      try [.number(Double(NotUnderstood.unless(packet.number(at: 2, as: UInt32.self))))]
    case [0xFE, 0x8A]: try [.value(NotUnderstood.unless(BoardReading.hex(packet)?["hex"]))]
    default: nil
    }
  }
}

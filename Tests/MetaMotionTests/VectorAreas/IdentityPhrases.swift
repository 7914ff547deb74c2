import FleetModel

@testable import MetaMotion

/// Which product a board is.
struct IdentityPhrases: VectorArea {
  private let board: Inventory

  init(on board: Inventory) { self.board = board }

  func perform(_ phrase: String, on stage: inout VectorStage) -> Bool {
    switch phrase {
    case "model string \"5\" with the given modules", "model string \"8\"":
      stage.find("model_name", .string(board.model.rawValue))
    default: false
    }
  }
}

import BoardKit

/// Which product a board is (protocol reference, section 1.2).
enum BoardModel: String, Sendable, CaseIterable {
  case metaMotionR = "MetaMotion R"
  case metaMotionRL = "MetaMotion RL"
  case metaMotionS = "MetaMotion S"

  /// Tells the products apart. R and RL share a model number; only the R has a light sensor.
  init(modelNumber: String, hasAmbientLight: Bool) throws(ProtocolFailure) {
    switch modelNumber {
    case "5": self = hasAmbientLight ? .metaMotionR : .metaMotionRL
    case "8": self = .metaMotionS
    default:
      throw .unknownModel(
        "model number \"\(modelNumber)\" is not a MetaMotion R, RL (5) or S (8); the board is not used")
    }
  }
}

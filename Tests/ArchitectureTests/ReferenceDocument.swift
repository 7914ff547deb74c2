/// Documents whose sections are cited by their numbers.
enum ReferenceDocument: String, CaseIterable {
  case protocolReference = "protocol reference"
  case faultMatrix = "fault matrix"
  case dfuReference = "DFU reference"
  case architecture
  case contract = "MQTT contract"
  case api = "MQTT API"

  /// The files it consists of, or their folder.
  private var places: [String] {
    switch self {
    case .protocolReference: ["deploy/docs/reference/metamotion/"]
    case .faultMatrix: ["deploy/docs/reference/fault-matrix.md"]
    case .dfuReference: ["deploy/docs/reference/firmware-update.md"]
    case .architecture: ["deploy/docs/reference/architecture.md"]
    case .contract:
      ["deploy/docs/mqtt-contract.md", "deploy/docs/mqtt-commands.md", "deploy/docs/configuration.md"]
    case .api: ["deploy/docs/mqtt-api.md"]
    }
  }

  /// The document that a file is part of; nil for one that is cited by its name alone.
  init?(of path: String) {
    guard let document = Self.allCases.first(where: { $0.places.contains(where: path.hasPrefix) }) else {
      return nil
    }
    self = document
  }

  /// The document that is named by the words that end at `place`.
  init?(namedIn words: [String], endingAt place: Int) {
    let before = place > 0 ? words[place - 1] : ""
    switch words[place] {
    case "reference" where before == "protocol" || before == "Protocol": self = .protocolReference
    case "reference" where before == "DFU": self = .dfuReference
    case "matrix" where before == "fault" || before == "Fault": self = .faultMatrix
    case "API" where before == "MQTT": self = .api
    case "contract": self = .contract
    default: return nil
    }
  }
}

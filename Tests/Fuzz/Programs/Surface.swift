import Dialects
import FleetModel
import Glibc
import MetaMotion

/// Where bytes of strangers come in.
enum Surface: String, CaseIterable {
  /// A board that answers wrongly, in conversation with the driver.
  case board
  /// Packets that a person wants explained.
  case explanation
  /// Messages on command topics.
  case request

  /// The one that `METAFLEET_SURFACE` names.
  static let chosen: Surface = {
    let name = getenv("METAFLEET_SURFACE").map { String(cString: $0) } ?? ""
    guard let surface = Surface(rawValue: name) else {
      print("METAFLEET_SURFACE must be one of \(allCases.map(\.rawValue).joined(separator: ", "))")
      exit(64)
    }
    return surface
  }()

  func exercise(_ input: FuzzInput) {
    switch self {
    case .board: LyingSession.play(input)
    case .explanation: Self.explain(input)
    case .request: Self.read(input)
    }
  }

  private static func explain(_ input: FuzzInput) {
    var input = input
    let models = ["R", "RL", "S", nil]
    guard let context = PacketContext(model: models[input.number(below: 4)], rangeG: nil) else { return }
    var explainer = PacketExplainer(context)
    while !input.isEmpty {
      let sender = input.element(of: PacketExplanation.Sender.allCases + [nil]) ?? nil
      _ = explainer.explain(input.some(input.number(below: 24)), from: sender)
    }
  }

  private static func read(_ input: FuzzInput) {
    var input = input
    let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "g"))
    let targets = ["board/e5a1c2d3f4b6", "gateway/g", "group/all"]
    let target = targets[input.number(below: targets.count)]
    let verbs = VerbCatalogue.all.map(\.name) + ["", "no-verb"]
    let verb = verbs[input.number(below: verbs.count)]
    let message = MQTTMessage(topic: "m/\(target)/cmd/\(verb)", payload: input.rest())
    let meaning = dialect.read(message, arrived: Timestamp(milliseconds: 0)) { "id" }
    if case .command(_, _, .request(let request)) = meaning { _ = try? request.interpret() }
  }
}

import BoardKit
import Dialects
import FleetModel
import Glibc
import MetaMotion

/// Where bytes from outside come in.
enum Surface: String, CaseIterable {
  /// A board that answers wrongly, in conversation with the driver.
  case board
  /// Packets that a person wants explained.
  case explanation
  /// Messages on command topics.
  case request
  /// Entries of a log, and what was kept of how to read them.
  case log
  /// Packages of firmware, and what a bootloader answers to one.
  case firmware

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
    case .log: Self.decode(input)
    case .firmware: Self.install(input)
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
    // Bytes from outside, or what gets past the envelope: arguments that a declaration allows, for any addressee.
    let payload = input.byte() & 1 == 0 ? input.rest() : rightRequest(verb, &input)
    let message = MQTTMessage(topic: "m/\(target)/cmd/\(verb)", payload: payload)
    let meaning = dialect.read(message, arrived: Timestamp(milliseconds: 0)) { "id" }
    if case .command(_, _, .request(let request)) = meaning { _ = try? request.interpret() }
  }

  private static func rightRequest(_ verb: String, _ input: inout FuzzInput) -> [UInt8] {
    let definition = VerbCatalogue.all.first { $0.name == verb }
    let fork = definition?.fork
    let branch = fork.flatMap { input.element(of: $0.branches) }
    var generator = ArgumentGenerator(input: input)
    var arguments = generator.object((definition?.parameters ?? []) + (branch?.parameters ?? []))
    if let fork, let branch { arguments[fork.key] = .string(branch.word) }
    if arguments["confirm"] != nil {
      arguments["confirm"] = generator.input.byte() & 1 == 0 ? "e5a1c2d3f4b6" : "all"
    }
    let job: JSONObject = ["parallel": .integer(Int64(generator.input.byte()))]
    return JSONWriter.render(
      generator.input.byte() & 1 == 0
        ? ["args": .object(arguments)] : ["args": .object(arguments), "job": .object(job)])
  }

  private static func decode(_ input: FuzzInput) {
    var input = input
    guard let format = MetaMotionFamily.descriptor.logFormat else { return }
    let streams = (0..<input.number(below: 4)).map { number in
      let slots = (0..<input.number(below: 8)).map { _ in input.number(below: 34) - 1 }
      let layout = input.some(input.number(below: 48))
      return LoggedStream(name: "\(number)", fields: [], slots: slots, layout: layout)
    }
    let entries = input.rest()
    var decoder = format.makeDecoder(streams, Array(entries.prefix(20)))
    var decoded = DecodedLog()
    decoder.decode(entries.span.bytes, into: &decoded)
    for entry in decoded.entries where !decoded.values.indices.contains(entry.values.lowerBound) {
      precondition(entry.values.isEmpty, "a sample without its values")
    }
    precondition(decoder.rest.count % format.entrySize == 0, "a piece of an entry is left over")
    for offset in 0..<min(entries.count, 24) { _ = format.clock(entries.span.bytes, offset) }
  }

  private static func install(_ input: FuzzInput) {
    var input = input
    guard input.byte() & 1 == 1 else {
      _ = try? FirmwarePackage(input.rest())
      return
    }
    let image = FirmwareImage(
      kind: .application, initPacket: input.some(input.number(below: 40)),
      bytes: input.some(4 * input.number(below: 60)))
    var transfer = BootloaderTransfer(image, window: input.number(below: 12))
    var now = Duration.zero
    _ = transfer.next(.ready, at: now)
    while !input.isEmpty {
      now += .seconds(input.number(below: 100))
      let rest: [BootloaderTransfer.Event] = [.timedOut, .writeFailed, .linkEnded, .abort, .ready]
      let event: BootloaderTransfer.Event =
        input.byte() & 3 == 0
        ? input.element(of: rest) ?? .timedOut : .received(input.some(input.number(below: 8)))
      _ = transfer.next(event, at: now)
      _ = transfer.remaining(at: now)
    }
    precondition(transfer.confirmed <= image.bytes.count, "more is confirmed than there is")
  }
}

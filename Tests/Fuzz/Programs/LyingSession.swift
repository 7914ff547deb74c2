import BoardKit
import FleetModel
import MetaMotion
import Simulator
import VirtualTime

/// What a session does with a board that lies: interview, streams, commands, and the interview again from memory.
actor LyingSession {
  private nonisolated let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }
  private let link: LyingLink
  private let conversation: Conversation
  private let driver: any BoardDriver
  private var arguments: ArgumentGenerator
  private var decoded = DecodedPackets()

  /// Plays one input from beginning to end, in virtual time.
  static func play(_ input: FuzzInput) {
    var input = input
    let world = SeededWorld(seed: 1)
    let model: BoardModel = input.element(of: [.r, .rl, .s]) ?? .s
    let arguments = input.share()
    let session = LyingSession(
      LyingLink(model: model, world: world, input: input), world, ArgumentGenerator(input: arguments))
    guard world.run(atMost: .seconds(36_000), { await session.run() }) != nil else {
      fatalError("the session hangs: nothing happens any more, or it takes more than ten hours")
    }
  }

  deinit { print("SESSION GONE") }

  private init(_ link: LyingLink, _ world: SeededWorld, _ arguments: ArgumentGenerator) {
    self.link = link
    self.world = world
    self.arguments = arguments
    conversation = Conversation(link: link, timekeeper: world)
    driver = MetaMotionFamily.descriptor.makeDriver(conversation)
  }

  private func run() async {
    await link.open(
      received: { characteristic, packet, arrival in
        self.assumeIsolated { $0.received(packet, from: characteristic, at: arrival) }
      }, ended: { failure in self.assumeIsolated { $0.conversation.end(because: failure) } })
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.keepTime() }
      await converse()
      group.cancelAll()
    }
    await link.disconnect()
  }

  private func converse() async {
    var memory: [UInt8]?
    var rounds = 2
    while rounds > 0, conversation.ending == nil {
      rounds -= 1
      guard let interview = try? await driver.interview(remembering: memory) else { return }
      memory = interview.memory
      let wanted = streams()
      _ = try? await driver.apply(wanted, button: true)
      await link.live(30)
      for request in wanted.values { _ = try? await driver.read(request) }
      for _ in 0..<4 { await perform() }
      await log(wanted.values.map { $0 })
      if driver.hasStaleSubscriptions { try? await driver.endStaleSubscriptions() }
      driver.invalidateCachedState()
    }
  }

  /// Has the board log some streams, and reads them out.
  private func log(_ streams: [StreamRequest]) async {
    let program = BoardProgram(
      logs: Dictionary(streams.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }))
    let logged = (try? await driver.apply(program))?.logged ?? []
    guard let source = driver.logs, arguments.input.byte() % 2 == 0 else { return }
    try? await source.start(overwriting: true)
    await link.live(30)
    try? await source.stop()
    _ = try? await source.streams(anew: true)
    guard let status = try? await source.status() else { return }
    var decoder = MetaMotionFamily.descriptor.logFormat?.makeDecoder(logged, [])
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.link.liveOn() }
      _ = try? await source.readOut(min(status.entries, 4_096), mayErase: true) { page in
        var decoded = DecodedLog()
        decoder?.decode(page.entries.span.bytes, into: &decoded)
        return self.arguments.input.byte() % 8 != 7
      }
      group.cancelAll()
    }
    _ = try? await source.clear()
  }

  /// A few streams of the catalogue, configured as it allows.
  private func streams() -> [StreamKey: StreamRequest] {
    var streams: [StreamKey: StreamRequest] = [:]
    for number in 0..<arguments.input.number(below: 4) {
      guard let definition = arguments.input.element(of: StreamCatalogue.all) else { continue }
      guard let configuration = try? definition.configure(arguments.object(definition.ownParameters)) else {
        continue
      }
      streams[StreamKey(number)] = StreamRequest(
        name: definition.name, configuration: configuration.values)
    }
    return streams
  }

  private func perform() async {
    let verbs = VerbCatalogue.all.filter { $0.addressee == .board }
    guard let verb = arguments.input.element(of: verbs),
      case .board(.link(.device(let intent)))? = try? verb.interpret(arguments.object(verb.parameters))
    else { return }
    _ = await driver.perform(intent)
    await link.live(10)
  }

  private func received(_ packet: RawSpan, from characteristic: Characteristic, at arrival: Timestamp) {
    if conversation.offer(packet) { return }
    decoded.removeAll()
    _ = driver.decode(packet, from: characteristic, at: arrival, into: &decoded)
  }

  /// Questions that are not answered are given up.
  private func keepTime() async {
    while !Task.isCancelled {
      do { try await world.sleep(for: .milliseconds(100)) } catch { return }
      conversation.expire(at: conversation.uptime)
    }
  }
}

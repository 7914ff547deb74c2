import Dialects
import EventLoops
import Fleet
import FleetModel
import Logging
import Web

/// What the gateway shows over HTTP. On a loop of its own: whatever is asked of it holds up nothing else, and it can
/// say that something else stands still.
struct WebFace: Sendable {
  /// Does what a message asks of simulated boards; what became of each line.
  typealias Simulator = @Sendable (MQTTMessage) async -> [JSONObject]

  let loop: EventLoop
  let archive: WebArchive
  private let server: HTTPServer
  private let topics: TopicTree
  private let neighbours: Neighbours
  private let progress = LoopProgress()
  private let waker = TaskWaker()
  private let timekeeper: any Timekeeper
  private let log: Logger
  private let simulator: Simulator?

  /// Opens nothing yet. `loops` are those whose progress `/healthz` tells; `file` and `directory` are where its
  /// children find the configuration and the archive, `newBroker` makes brokers over which other gateways are heard. A
  /// token that cannot be used is a failure. Without `simulator` nobody can press buttons of simulated boards.
  init(
    _ configuration: FleetConfiguration, file: String?, directory: String, following loops: [EventLoop],
    newBroker: @escaping @Sendable () -> any Broker, timekeeper: any Timekeeper, log: Logger,
    simulator: Simulator? = nil
  ) throws(CommandLineFailure) {
    (self.timekeeper, self.log, self.simulator) = (timekeeper, log, simulator)
    topics = TopicTree(base: configuration.mqtt.base, gateway: configuration.gateway.id)
    let http = configuration.consumers.http
    let token = try AccessToken.named(by: http)
    loop = try EventLoop.named("web")
    archive = try WebArchive(
      configurationFile: file, directory: directory, format: try ArchiveOptions.format())
    neighbours = Neighbours(on: loop, topics: topics, timekeeper: timekeeper, newBroker: newBroker)
    for loop in loops { progress.follow(loop) }
    server = HTTPServer(http, token: token, on: loop, progress: progress)
  }

  /// Tells whoever watches of what is published.
  var published: GatewayEnvironment.Published {
    { [streams = server.streams, topics] make in
      guard !streams.isIdle else { return }
      streams.publish(make().compactMap { StreamMessage($0.message, in: topics) })
    }
  }

  /// Shows `gateway` until it is cancelled.
  func run(showing gateway: Gateway) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await listen() }
      group.addTask { await follow(gateway) }
      group.addTask { await server.run(source(gateway)) }
      group.addTask {
        await neighbours.run(telling: server.streams) { board in
          await FleetObservation.looksAfter(.board(board), gateway)
        }
      }
    }
  }

  private func source(_ gateway: Gateway) -> WebSource {
    let dialect = PlainDialect(topics: topics)
    return WebSource(
      snapshot: { await FleetObservation.snapshot(of: gateway) },
      documents: {
        let (events, since) = await FleetObservation.documents(of: gateway)
        return DocumentListing(events, since: since, in: dialect, others: await neighbours.documents).content
      },
      verbs: { [areSimulated = simulator != nil] rule in
        .json(200, VerbListing.objects(over: rule, areSimulated: areSimulated))
      },
      answer: { request in
        switch request {
        case .question(let question): await archive.answer(question)
        case .command(let body, let rule, let peer):
          .content(await carryOut(body, rule, from: peer, dialect, gateway))
        }
      })
  }

  /// Hands a command to the gateway as if it had come from the broker: what becomes of it comes as its replies.
  private func carryOut(
    _ body: [UInt8], _ rule: HTTPCommandRule, from peer: Peer, _ dialect: PlainDialect, _ gateway: Gateway
  ) async -> HTTPContent {
    let message: MQTTMessage
    do throws(CommandFailure) { message = try WebCommand(body, below: topics.base, from: peer).message } catch
    {
      return .failure(400, error.message)
    }
    if let simulator, message.topic == "\(topics.base)/\(SimulatorRequest.topic)" {
      return .json(200, ["answers": .array(await simulator(message).map { .object($0) })])
    }
    let now = timekeeper.now
    var random = SystemRandomNumberGenerator()
    let meaning = dialect.read(message, arrived: now) { ULID(at: now, using: &random).description }
    guard case .command(let target, let verb, let incoming) = meaning,
      let (judgement, command) = WebCommand.judge(incoming, by: rule),
      await FleetObservation.looksAfter(target, gateway)
    else {
      return .failure(
        404,
        "this gateway looks after nobody of that topic; commands for others are sent to their gateway's page")
    }
    await FleetObservation.submit(target, verb, command, to: gateway)
    switch judgement {
    case .pass(let id): return .json(202, ["id": .string(id)])
    case .refuse(let status, let id, let sentence):
      return .json(status, ["id": .string(id), "error": .string(sentence)])
    }
  }

  /// Serves as another configuration says; the sentences are what of it cannot be had. With a token that cannot be used
  /// nothing is open to anybody.
  func change(to configuration: HTTPConfiguration) async -> [String] {
    var (token, troubles): (AccessToken?, [String]) = (nil, [])
    do throws(CommandLineFailure) { token = try AccessToken.named(by: configuration) } catch {
      troubles.append(error.message)
    }
    let report = await server.change(to: configuration, token: token, at: timekeeper.uptime)
    write(report)
    waker.wake()
    return troubles + (report.trouble.map { [$0] } ?? [])
  }

  private func listen() async {
    while !Task.isCancelled {
      let report = await server.proceed(at: timekeeper.uptime)
      write(report)
      await waker.sleep(atMost: report.pause, by: timekeeper)
    }
    await server.stop()
  }

  private func write(_ report: ListenReport) {
    guard !report.isRepeated else { return }
    switch report.change {
    case .listening(let address):
      log.info("serving the page, metrics and health", metadata: ["address": "\(address)"])
    case .closed: log.info("the page, metrics and health are not served any more")
    case .failed: log.warning("\(report.trouble ?? "")")
    case nil: break
    }
  }

  private func follow(_ gateway: Gateway) async {
    while !Task.isCancelled {
      await FleetObservation.reach(gateway)
      progress.note("the gateway")
      do throws(CancellationError) { try await timekeeper.sleep(for: LoopProgress.period) } catch {}
    }
  }
}

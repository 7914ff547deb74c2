import BoardKit
import EventLoops
import FleetModel

/// `metafleet try`: finds a board, connects it, goes through the steps and disconnects it, whatever happens meanwhile.
actor Trial {
  private enum Item: Sendable {
    case radio(RadioEvent)
    case adaptersAreLate, scanIsOver, disconnectIsLate
  }

  private nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let radio: any Radio
  private let family: FamilyDescriptor
  private let timekeeper: any Timekeeper
  private let show: @Sendable (TryStep) throws(OutputFailure) -> Void
  private var scan: TryScan
  private var link: (any BoardLink)?
  private var session: TrySession?
  private(set) var report = TryReport()
  /// Why the steps cannot be shown any more; nil while they can.
  private(set) var outputFailure: OutputFailure?
  private var isStopped = false
  private let items: AsyncStream<Item>
  private let inbox: AsyncStream<Item>.Continuation
  private let stops: AsyncStream<Void>
  private let stopper: AsyncStream<Void>.Continuation

  /// BlueZ lists its adapters at once; one that is off needs a moment.
  private static let adapterTimeout = Duration.seconds(5)
  /// Boards that are advertising are connected in less than three.
  private static let connectTimeout = Duration.seconds(20)
  private static let disconnectTimeout = Duration.seconds(3)

  /// `show` takes each step as soon as it is over.
  init(
    scan: TryScan, radio: any Radio, loop: EventLoop, family: FamilyDescriptor,
    timekeeper: any Timekeeper, show: @escaping @Sendable (TryStep) throws(OutputFailure) -> Void
  ) {
    (self.scan, self.radio, self.loop) = (scan, radio, loop)
    (self.family, self.timekeeper, self.show) = (family, timekeeper, show)
    (items, inbox) = AsyncStream.makeStream()
    (stops, stopper) = AsyncStream.makeStream()
  }

  /// Goes through all steps, as far as they make sense.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      let (radio, inbox) = (radio, inbox)
      group.addTask { for await event in radio.events { inbox.yield(.radio(event)) } }
      await goThroughSteps()
      group.cancelAll()
    }
  }

  /// Ends at the next step; what was switched on is switched off, and the board disconnected.
  func stop() async {
    isStopped = true
    stopper.yield()
    await session?.stop()
  }

  private func goThroughSteps() async {
    // Real boards do not always advertise their service, so everything is received and sorted here.
    await radio.discover(true, unfiltered: true)
    let stops = stops
    await First.of {
      await self.findAndConnect()
    } or: {
      _ = await First.value(of: stops)
    }
    guard let link else { return }
    if !isStopped { await session?.run() }
    await disconnect(link)
  }

  private func tell(_ step: TryStep) {
    report.add(step)
    do throws(OutputFailure) { try show(step) } catch { outputFailure = error }
  }

  private func take(_ step: TryStep) async {
    tell(step)
    if outputFailure != nil { await stop() }
  }
}

// To the board and away from it.
extension Trial {
  private func findAndConnect() async {
    guard let target = await find(), !isStopped else { return }
    await radio.discover(false, unfiltered: false)
    let began = timekeeper.uptime
    do throws(LinkFailure) {
      let link = try await radio.connect(
        to: target.board, via: target.adapter, timeout: Self.connectTimeout)
      try await open(link)
      let time = timekeeper.uptime - began
      await take(.connected(target.board, over: target.adapterName, after: time))
    } catch {
      if !isStopped { await take(.notConnected(target.board, error)) }
    }
  }

  private func open(_ link: any BoardLink) async throws(LinkFailure) {
    let session = TrySession(
      link: link, executor: loop, family: family, timekeeper: timekeeper
    ) { await self.take($0) }
    do throws(LinkFailure) { try await session.open() } catch {
      await link.disconnect()
      throw error
    }
    (self.link, self.session) = (link, session)
  }

  private func find() async -> TryScan.Target? {
    let inbox = inbox
    loop.schedule(after: Self.adapterTimeout) { inbox.yield(.adaptersAreLate) }
    for await item in items {
      let actions: [TryScan.Action] =
        switch item {
        case .radio(let event): scan.take(event)
        case .adaptersAreLate: scan.adaptersAreLate()
        case .scanIsOver: scan.choose()
        case .disconnectIsLate: []
        }
      for action in actions {
        switch action {
        case .report(let step): await take(step)
        case .use(let adapter): await radio.use([adapter])
        case .begin:
          Console.note("scanning for \(DurationText.format(scan.span)) …")
          loop.schedule(after: scan.span) { inbox.yield(.scanIsOver) }
        case .end(let target): return target
        }
      }
    }
    return nil
  }

  private func disconnect(_ link: any BoardLink) async {
    let lost = await session?.ending
    await link.disconnect()
    var isDown = lost != nil
    if !isDown { isDown = await isReportedDown(link.board) }
    tell(.disconnected(link.board, lost: lost, isDown: isDown))
  }

  /// Whether BlueZ reports the end of the connection, now or within a moment.
  private func isReportedDown(_ board: BoardID) async -> Bool {
    let inbox = inbox
    loop.schedule(after: Self.disconnectTimeout) { inbox.yield(.disconnectIsLate) }
    for await item in items {
      switch item {
      case .radio(.connection(board, _, isConnected: false)): return true
      case .disconnectIsLate: return false
      case .radio, .adaptersAreLate, .scanIsOver: break
      }
    }
    return false
  }
}

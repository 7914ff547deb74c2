import BoardKit
import FleetModel

/// One link to a board in its bootloader, from the question who it is to what it was visited for. Made for the link and
/// gone with it.
///
/// Runs on the radio's executor, where the link hands it every packet.
actor BootloaderSession {
  /// What a board is visited for.
  enum Errand: Sendable {
    /// It stays as it is.
    case stay
    /// It restarts.
    case leave
    case install(any InstallableImage, window: Int)
  }

  /// How a visit ended.
  enum End: Sendable {
    /// It did not say who it is.
    case failed(LinkFailure)
    /// Nothing was sent.
    case visited
    case activated(isApplication: Bool)
    case broke(TransferFailure)
  }

  private nonisolated let link: any BoardLink
  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let family: BootloaderFamily
  private let timekeeper: any Timekeeper
  private let conversation: Conversation
  /// Confined to the executor; the link calls it there, too.
  private nonisolated(unsafe) let driver: any BootloaderDriver

  /// How often time-outs are looked after.
  private static let period = Duration.milliseconds(100)

  init(
    link: any BoardLink, family: BootloaderFamily, executor: any SerialExecutor, timekeeper: any Timekeeper
  ) {
    (self.link, self.family, self.executor, self.timekeeper) = (link, family, executor, timekeeper)
    conversation = Conversation(link: link, timekeeper: timekeeper)
    driver = family.makeDriver(conversation)
  }

  /// Asks who is there, does what `decide` says about that, and ends the link.
  func run(
    _ decide: @Sendable (BootloaderDescription) async -> Errand,
    progress: @Sendable (TransferProgress) async -> Void
  ) async -> End {
    await link.open(
      received: { characteristic, packet, _ in
        self.assertIsolated()
        self.driver.received(packet, from: characteristic)
      },
      ended: { failure in self.assumeIsolated { $0.conversation.end(because: failure) } })
    let end = await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.tick() }
      let end = await visit(decide, progress: progress)
      group.cancelAll()
      return end
    }
    await link.disconnect()
    return end
  }

  /// Ends the visit from our side; `run` returns soon after.
  func close() {
    conversation.end(because: LinkFailure(.closed, "the gateway closed the connection"))
  }

  private func visit(
    _ decide: (BootloaderDescription) async -> Errand, progress: (TransferProgress) async -> Void
  ) async -> End {
    do throws(ProtocolFailure) {
      for characteristic in family.notifications { try await subscribe(to: characteristic) }
      let found = try await driver.identify()
      switch await decide(found) {
      case .stay: return .visited
      case .leave:
        try await driver.leave()
        return .visited
      case .install(let image, let window): return await install(image, window, progress)
      }
    } catch {
      return .failed(error.linkFailure)
    }
  }

  private func subscribe(to characteristic: Characteristic) async throws(ProtocolFailure) {
    do throws(LinkFailure) { try await link.subscribe(to: characteristic) } catch { throw .linkEnded(error) }
  }

  private func install(
    _ image: any InstallableImage, _ window: Int, _ progress: (TransferProgress) async -> Void
  ) async -> End {
    do throws(TransferFailure) {
      try await driver.install(image, window: window, progress: progress)
      return .activated(isApplication: image.isApplication)
    } catch {
      return .broke(error)
    }
  }

  private func tick() async {
    while !Task.isCancelled {
      do { try await timekeeper.sleep(for: Self.period) } catch { return }
      conversation.expire(at: timekeeper.uptime)
    }
  }
}

import BoardKit
import FleetModel
import Logging

/// Looks for newer firmware when it is time, and for who asks. Nothing is installed.
actor FirmwareChecks {
  private let source: (any FirmwareSource)?
  private let timekeeper: any Timekeeper
  private let log: Logger
  /// The boards that there are by now.
  private let boards: @Sendable () async -> [BoardSupervisor]
  private let deliver: @Sendable ([FleetEvent]) async -> Void
  private(set) var knowledge = FirmwareKnowledge()
  private var configuration: FleetConfiguration
  /// What was kept of the configured index has not been looked at yet.
  private var isAnotherIndex = true
  /// The operator named another index, and shall not wait until it is time.
  private var asksAtOnce = false
  private let started: Timestamp
  private var random: SeededGenerator
  private let waker = TaskWaker()
  /// Those who wait for what is under way; nil while nothing is.
  private var waiting: [CheckedContinuation<Void, Never>]?

  /// The wall clock may be set meanwhile.
  private static let longestSleep = Duration.seconds(600)

  init(
    _ source: (any FirmwareSource)?, _ configuration: FleetConfiguration, timekeeper: any Timekeeper,
    seed: UInt64, log: Logger, boards: @escaping @Sendable () async -> [BoardSupervisor],
    deliver: @escaping @Sendable ([FleetEvent]) async -> Void
  ) {
    (self.source, self.timekeeper, self.log) = (source, timekeeper, log)
    (self.boards, self.deliver) = (boards, deliver)
    self.configuration = configuration
    started = timekeeper.now
    random = SeededGenerator(seed: seed)
  }

  /// Whether there is anything to look at.
  nonisolated var isPossible: Bool { source != nil }

  /// Checks whenever it is time, until cancelled.
  func run() async {
    guard source != nil else { return }
    while !Task.isCancelled {
      await recall()
      if asksAtOnce, knowledge.isLacking { await check() }
      asksAtOnce = false
      let now = timekeeper.now
      // By the gateway's own name, so that not all gateways ask at once.
      let due = knowledge.due(
        configuration.schedules.firmwareCheck, started: started, now: now, in: configuration.timeZone,
        of: configuration.gateway.id)
      if let due, due <= now {
        await check()
      } else {
        let wait = due.map { min($0 - now, Self.longestSleep) }
        await waker.sleep(atMost: wait, by: timekeeper)
      }
    }
  }

  /// Takes a new configuration. Another index is asked soon, and nobody waits for it.
  func change(to new: FleetConfiguration) {
    if configuration.firmware != new.firmware { (isAnotherIndex, asksAtOnce) = (true, true) }
    configuration = new
    waker.wake()
  }

  /// Checks, unless the last answer may be given again.
  func check(unlessFresh isLazy: Bool) async {
    await recall()
    if !isLazy || !knowledge.isFresh(at: timekeeper.now) { await check() }
  }

  /// Everything that an update needs, fetched and checked.
  func installation(_ request: InstallationRequest) async throws(CommandFailure) -> any FirmwareInstallation {
    guard let source else {
      throw CommandFailure(.unsupported, "this gateway does not install firmware")
    }
    return try await source.installation(request, configuration.firmware)
  }

  /// Begins with what was kept of the configured index, whoever comes first.
  private func recall() async {
    while isAnotherIndex {
      guard await enter() else { continue }
      isAnotherIndex = false
      knowledge.begin(with: await source?.kept(configuration.firmware))
      leave()
      await publish()
    }
  }

  /// One at a time. False for who came meanwhile, when that is over.
  private func enter() async -> Bool {
    guard waiting != nil else {
      waiting = []
      return true
    }
    await withCheckedContinuation { waiting?.append($0) }
    return false
  }

  private func leave() {
    let others = waiting ?? []
    waiting = nil
    for other in others { other.resume() }
  }

  /// Who comes meanwhile gets the same answer.
  private func check() async {
    guard let source, await enter() else { return }
    let outcome: Result<FetchedIndex, FirmwareCheckFailure>
    do throws(FirmwareCheckFailure) {
      outcome = .success(try await source.fetch(configuration.firmware, at: timekeeper.now))
    } catch {
      outcome = .failure(error)
    }
    let isTroubled = knowledge.checked(outcome, at: timekeeper.now)
    if let isTroubled { await tell(isTroubled) }
    await publish()
    leave()
  }

  /// Of the gateway: that checks fail, or do so no more.
  private func tell(_ isTroubled: Bool) async {
    let reason = knowledge.trouble ?? ""
    if isTroubled {
      log.warning("the check for newer firmware failed", metadata: ["reason": "\(reason)"])
    }
    await deliver([
      .happened(
        EventMessage(
          .firmware, isTroubled ? "failed" : "recovered", of: .gateway,
          fields: ["index": .string(configuration.firmware.index)], message: isTroubled ? reason : nil,
          at: timekeeper.now, using: &random))
    ])
  }

  private func publish() async {
    for board in await boards() { await FirmwareNotice.publish(by: board) }
  }
}

import BoardKit
import FleetModel
import Support
import Testing

@testable import Fleet

@Suite(.timeLimit(.minutes(20))) struct FirmwareChecksTests {
  private struct ToyIndex: FirmwareIndex {
    func offer(for board: BoardDescription) -> FirmwareReport.Offer {
      FirmwareReport.Offer(latest: "2.0", build: "vanilla", hardware: "0.1", isHardwareListed: true)
    }
  }

  /// A server that is trusted only by an authority that the configuration has to name; an index of it was kept.
  private struct DoubtedSource: FirmwareSource {
    private func index(_ configuration: FirmwareConfiguration, at time: Timestamp) -> FetchedIndex {
      FetchedIndex(ToyIndex(), from: .init(source: configuration.index, fetched: time))
    }

    func kept(_ configuration: FirmwareConfiguration) async -> FetchedIndex? {
      index(configuration, at: .at(-86_400_000))
    }

    func fetch(
      _ configuration: FirmwareConfiguration, at now: Timestamp
    ) async throws(FirmwareCheckFailure) -> FetchedIndex {
      guard configuration.authorities != nil else { throw FirmwareCheckFailure("nobody is trusted") }
      return index(configuration, at: now)
    }
  }

  private static func configuration(authorities: String? = nil) -> FleetConfiguration {
    var configuration = FleetConfiguration()
    configuration.firmware.authorities = authorities
    configuration.schedules.firmwareCheck = .never
    return configuration
  }

  private static func checks(
    deliver: @escaping @Sendable ([FleetEvent]) async -> Void = { _ in }
  ) -> FirmwareChecks {
    FirmwareChecks(
      DoubtedSource(), configuration(), timekeeper: ManualClock(), seed: 1, log: silentLog(), boards: { [] },
      deliver: deliver)
  }

  @Test func `F197 a request before the kept index was read goes by it all the same`() async {
    let checks = Self.checks()
    await checks.check(unlessFresh: false)
    let knowledge = await checks.knowledge
    #expect(knowledge.hasIndex && knowledge.trouble == "nobody is trusted")
  }

  @Test func `F198 what was mended in the file is tried at once, and announced`() async {
    let (events, feed) = AsyncStream<String>.makeStream()
    let checks = Self.checks { delivered in
      for case .happened(let event) in delivered { feed.yield(event.type) }
    }
    await checks.check(unlessFresh: false)
    await checks.change(to: Self.configuration(authorities: "own.pem"))
    async let _: Void = checks.run()
    var types: [String] = []
    for await event in events {
      types.append(event)
      if types.count == 2 { break }
    }
    #expect(types == ["failed", "recovered"])
    let knowledge = await checks.knowledge
    #expect(knowledge.trouble == nil)
  }
}

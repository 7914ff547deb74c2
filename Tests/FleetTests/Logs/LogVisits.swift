import BoardKit
import FleetModel
import Storage
import Support
import VirtualTime

@testable import Fleet

/// Boards that log, and what became of every entry they wrote.
extension SupervisorRig {
  /// A profile that logs, and is visited.
  static func logging(every: Duration? = .seconds(3_600), _ edit: (inout Profile) -> Void = { _ in })
    -> Profile
  {
    var profile = Profile()
    profile.logs = ["acceleration": StreamRequest(name: "acceleration", configuration: ["rate_hz": 50])]
    (profile.visit.every, profile.visit.jitter) = (every.map { .every($0) }, 0)
    edit(&profile)
    return profile
  }

  /// Plays `body` with a board that has a flash.
  static func visit<Result: Sendable>(
    _ profile: Profile = SupervisorRig.logging(), atMost limit: Duration = .seconds(90_000),
    passed: @escaping @Sendable (SupervisorRig, DownloadStep) async -> Void = { _, _ in },
    _ body: @escaping @Sendable (SupervisorRig, ToyFlash) async -> Result
  ) throws -> Result? {
    try play(atMost: limit, profile: profile, flash: { ToyFlash(world: $0) }, passed: passed) { rig in
      guard let flash = rig.flash else { fatalError("the rig has no flash") }
      return await body(rig, flash)
    }
  }

  /// Waits until so many events of a kind were told.
  func published(_ kind: EventKind, _ count: Int = 1) async -> [EventMessage] {
    while !Task.isCancelled {
      let events = await log.published(kind).map(\.0)
      if events.count >= count { return events }
      await pass(.milliseconds(200))
    }
    return []
  }

  /// Waits until the board logs and nobody is connected to it.
  func disconnects() async {
    while await board.state.link != .logging, !Task.isCancelled { await pass(.milliseconds(200)) }
  }

  /// Why samples are missing, by runs.
  func gaps() async -> [[String]] {
    var gaps: [[String]] = []
    for session in (try? await store.logs.sessions(of: board.board)) ?? [] {
      gaps.append(((try? await store.logs.gaps(of: session.id)) ?? []).map(\.reason))
    }
    return gaps
  }

  /// Numbers of all entries in the archive, session by session.
  func archived() async -> [Int] {
    var numbers: [Int] = []
    for session in (try? await store.logs.sessions(of: board.board)) ?? [] {
      for piece in (try? await store.publishing.pieces(of: session.id, from: 0, limit: 10_000)) ?? [] {
        let bytes = piece.entries
        for entry in stride(from: 0, to: bytes.count, by: 4) {
          numbers.append(bytes[entry..<entry + 4].reduce(0) { $0 << 8 | Int($1) } & 0xFF_FFFF)
        }
      }
    }
    return numbers
  }

  func sessions() async -> [LogSession] { (try? await store.logs.sessions(of: board.board)) ?? [] }

  func perform(_ command: LogCommand, within limit: Duration = .seconds(600)) async -> CommandOutcome {
    await board.perform(.link(.log(command)), expires: world.now + limit, .silent)
  }
}

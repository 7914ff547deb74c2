import FleetModel
import Testing

@testable import Fleet

@Suite struct CommandCapacityTests {
  private static func request(_ number: Int = 1, expires: Int64 = 30_000) -> CommandRequest {
    CommandRequest(
      id: "a", hasSenderID: true, target: .board(.number(number)), verb: "reset", arguments: [:], mode: .now,
      expires: .at(expires), issued: nil, arrived: .at(0), payloadHash: 0)
  }

  private static func limits(perBoard: Int = 32) -> CommandLimits {
    var limits = CommandLimits()
    limits.queuePerBoard = perBoard
    return limits
  }

  private static func stay(
    _ room: inout CommandCapacity, _ request: CommandRequest, _ status: TargetStatus = TargetStatus(),
    perBoard: Int, at now: Duration
  ) -> Duration? {
    do throws(CommandFailure) {
      _ = try room.take(
        for: request, status, limits: limits(perBoard: perBoard), at: now, .at(now.wholeMilliseconds))
      return nil
    } catch { return error.retryAfter }
  }

  @Test(
    arguments: [30, 700, 9_000])
  func `F86 who is sent away comes when there is room, as the pace so far tells`(milliseconds: Int) throws {
    let one = Duration.milliseconds(milliseconds)
    var room = CommandCapacity()
    var places: [CommandCapacity.Place] = []
    for _ in 1...4 {
      places.append(
        try room.take(
          for: Self.request(expires: 600_000), TargetStatus(), limits: Self.limits(perBoard: 4), at: .zero,
          .at(0)))
    }
    // The first ends, somebody takes its place, the next is sent away.
    room.leave(places.removeFirst(), at: one)
    #expect(Self.stay(&room, Self.request(expires: 600_000), perBoard: 4, at: one) == nil)
    let stay = try #require(Self.stay(&room, Self.request(expires: 600_000), perBoard: 4, at: one))
    #expect(stay >= one && stay <= max(.milliseconds(100), one * 2))
    room.leave(places.removeFirst(), at: one * 2)
    #expect(Self.stay(&room, Self.request(expires: 600_000), perBoard: 4, at: one + stay) == nil)
  }

  @Test func `F86 where the board is away, room comes with its contact or with the first expiry`() throws {
    var room = CommandCapacity()
    let away = TargetStatus(isReachable: false)
    let visited = TargetStatus(isReachable: false, nextContact: .at(10_000))
    #expect(Self.stay(&room, Self.request(expires: 30_000), away, perBoard: 1, at: .zero) == nil)
    #expect(Self.stay(&room, Self.request(), away, perBoard: 1, at: .seconds(5)) == .seconds(25))
    var other = CommandCapacity()
    #expect(Self.stay(&other, Self.request(), visited, perBoard: 1, at: .zero) == nil)
    #expect(Self.stay(&other, Self.request(), visited, perBoard: 1, at: .zero) == .seconds(10))
  }

  @Test func `F86 a crowd is told different times`() {
    var room = CommandCapacity()
    _ = Self.stay(&room, Self.request(), perBoard: 1, at: .zero)
    let stays = (1...5).compactMap { _ in Self.stay(&room, Self.request(), perBoard: 1, at: .zero) }
    #expect(Set(stays).count == 5 && stays == stays.sorted())
  }
}

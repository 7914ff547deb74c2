import FleetModel
import Synchronization
import Testing
import VirtualTime

@testable import Fleet

/// How commands wait for each other, for a link, and for a board's return.
@Suite struct CommandQueueTests {
  /// A queue and what became of its waits, by their names.
  private actor Waits {
    var queue = CommandQueue()
    var ends: [String] = []

    func wait(
      _ name: String, deadline: Duration = .seconds(60), isQueued: Bool = false, turn: CommandSequence.Turn?
    ) async {
      let came = await withCheckedContinuation { continuation in
        queue.wait(
          LinkWaiter(deadline: deadline, isQueued: isQueued, turn: turn, continuation: continuation))
      }
      ends.append("\(name) \(came)")
    }

    func waitForReturn(_ name: String, takesAnyReturn: Bool) async {
      let came = await withCheckedContinuation { continuation in
        queue.wait(
          RebootWaiter(deadline: .seconds(60), takesAnyReturn: takesAnyReturn, continuation: continuation))
      }
      ends.append("\(name) \(came)")
    }

    func change<Result: Sendable>(_ change: @Sendable (inout CommandQueue) -> Result) -> Result {
      change(&queue)
    }
  }

  /// Lets `begin` start its waits, then `act`, and returns how they ended.
  private func ends(
    of begin: [@Sendable (Waits) async -> Void], _ act: @escaping @Sendable (Waits) async -> Void
  ) -> [String] {
    let world = SeededWorld(seed: 1)
    let ended = Mutex<[String]>([])
    world.run(atMost: .seconds(600)) {
      let waits = Waits()
      await withTaskGroup(of: Void.self) { group in
        for wait in begin {
          group.addTask { await wait(waits) }
          try? await world.sleep(for: .milliseconds(1))
        }
        await act(waits)
        try? await world.sleep(for: .milliseconds(1))
        let soFar = await waits.ends
        ended.withLock { $0 = soFar }
        await waits.change { $0.close() }
      }
    }
    return ended.withLock { $0 }
  }

  @Test func `who was begun goes on first, then the next in turn, and no other`() {
    let ended = ends(
      of: [
        { await $0.wait("second", turn: 2) }, { await $0.wait("first", turn: 1) },
        { await $0.wait("begun", turn: nil) },
      ]
    ) { waits in
      await waits.change {
        _ = ($0.take(), $0.take())
        $0.boardIsReady()
      }
    }
    #expect(ended.sorted() == ["begun true", "first true"])
  }

  @Test func `a wait ends at its deadline, and its turn can be withdrawn`() {
    let ended = ends(
      of: [
        { await $0.wait("short", deadline: .seconds(5), turn: 1) },
        { await $0.wait("withdrawn", turn: 2) }, { await $0.wait("long", turn: 3) },
      ]
    ) { waits in
      let next = await waits.change { queue in
        queue.withdraw(2)
        return queue.expire(at: .seconds(5))
      }
      #expect(next == .seconds(60))
    }
    #expect(ended.sorted() == ["short false", "withdrawn false"])
  }

  @Test func `only a reset counts as a return, unless any does`() {
    func ended(_ takesAny: Bool, hasRebooted: Bool) -> [String] {
      ends(of: [{ await $0.waitForReturn("return", takesAnyReturn: takesAny) }]) { waits in
        await waits.change { $0.returned(hasRebooted: hasRebooted) }
      }
    }
    #expect(ended(false, hasRebooted: false) == [])
    #expect(ended(false, hasRebooted: true) == ["return true"])
    #expect(ended(true, hasRebooted: false) == ["return true"])
  }

  @Test func `who waits for the next contact wants no link by itself`() {
    let ended = ends(of: [{ await $0.wait("patient", isQueued: true, turn: 1) }]) { waits in
      let wantsLink = await waits.change { $0.wantsLink }
      #expect(!wantsLink)
      await waits.change { $0.close() }
      await waits.wait("late", turn: 2)
    }
    #expect(ended == ["late false", "patient false"] || ended == ["patient false", "late false"])
  }
}

import BoardKit
import FleetModel
import Testing

@testable import Fleet

/// Why a command finds no link.
@Suite struct BoardLinkStateTests {
  private static func link(_ change: (inout BoardLinkState) -> Void = { _ in }) -> BoardLinkState {
    var link = BoardLinkState(ends: StreamEnds())
    change(&link)
    return link
  }

  private func code(
    _ link: BoardLinkState, isBusy: Bool = false, isEnabled: Bool = true, isRadioUsable: Bool = true
  ) -> CommandFailure.Code {
    link.noLink(isBusy: isBusy, isEnabled: isEnabled, isRadioUsable: isRadioUsable).code
  }

  @Test func `a board that is there and busy lets commands expire; one that is away is unreachable`() {
    #expect(code(Self.link()) == .unreachable)
    #expect(code(Self.link(), isBusy: true) == .expired)
    #expect(code(Self.link { $0.isReady = true }) == .expired)
    #expect(code(Self.link(), isEnabled: false) == .unreachable)
    #expect(code(Self.link { $0.isDrained = true }) == .unreachable)
    #expect(code(Self.link { $0.machine.suspend(until: .seconds(9)) }) == .unreachable)
  }

  @Test func `a board that waits for a place lacks what is ours`() {
    let waiting = Self.link { $0.machine.advertised(at: .zero) }
    #expect(code(waiting) == .expired && code(waiting, isRadioUsable: false) == .unreachable)
  }

  @Test func `only who waits for the next contact waits for the end of a suspend`() {
    let held = Self.link { $0.machine.suspend(until: .seconds(9)) }
    #expect(held.cannotConnect(isQueued: false, isEnabled: true))
    #expect(!held.cannotConnect(isQueued: true, isEnabled: true))
    #expect(Self.link().cannotConnect(isQueued: true, isEnabled: false))
  }

  @Test func `F276 a reset that was ordered is no fault, and counts for one return`() {
    var link = Self.link { $0.isResetOrdered = true }
    #expect(link.answered(hasReset: true, isUpdating: false) == "commanded" && link.resetSinceLast)
    #expect(link.answered(hasReset: true, isUpdating: false) == "unexpected")
    link.isResetOrdered = true
    #expect(link.answered(hasReset: false, isUpdating: false) == nil && !link.resetSinceLast)
    #expect(link.answered(hasReset: true, isUpdating: false) == "unexpected")
  }

  @Test func `F276 a board that is given firmware restarts because of that`() {
    var link = Self.link()
    #expect(link.answered(hasReset: true, isUpdating: true) == "commanded")
  }

  @Test func `F201 a link over another adapter than the one that the board must use is one that ends`() {
    let unlinked = Self.link()
    #expect(!unlinked.isElsewhere(than: nil) && !unlinked.isElsewhere(than: .number(2)))
    let holder: AdapterID = .number(1)
    let answers = [nil, .number(1), .number(2)].map { BoardLinkState.isElsewhere(holder, than: $0) }
    #expect(answers == [false, false, true])
  }
}

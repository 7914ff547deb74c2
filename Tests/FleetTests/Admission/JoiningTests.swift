import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct JoiningTests {
  private static func joining(_ change: (inout AdmissionPolicy) -> Void = { _ in }) -> Joining {
    var policy = AdmissionPolicy()
    policy.mode = .open
    change(&policy)
    return Joining(JoinPermission(policy, since: .zero))
  }

  private static func report(_ board: Int, rssi: Int? = -60) -> AdvertisementReport {
    AdvertisementReport(
      board: .number(board), adapter: .number(1), name: nil, rssi: rssi, services: [], time: .at(0))
  }

  @Test func `no board joins while joining is closed, nor one in its bootloader`() {
    var closed = Self.joining { $0.mode = .listed }
    let whileClosed = closed.refusal(of: Self.report(1), isBootloader: false, joined: 0, at: .zero)
    var open = Self.joining()
    let bootloader = open.refusal(of: Self.report(1), isBootloader: true, joined: 0, at: .zero)
    let board = open.refusal(of: Self.report(1), isBootloader: false, joined: 0, at: .zero)
    #expect(whileClosed == .closed && bootloader == .closed && board == nil)
  }

  @Test func `F164 no more boards join than may be admitted so`() {
    var joining = Self.joining { $0.maximumBoards = 2 }
    let refusals = [0, 1, 2, 3, 1].map {
      joining.refusal(of: Self.report($0), isBootloader: false, joined: $0, at: .zero)
    }
    #expect(refusals == [nil, nil, .maximumBoards, .maximumBoards, nil])
  }

  @Test func `F164 a board whose signal is weak or unknown does not join where a least one is asked`() {
    var joining = Self.joining { $0.minimumRSSI = -70 }
    let refusals = [-70, -71, nil].map {
      joining.refusal(of: Self.report(1, rssi: $0), isBootloader: false, joined: 0, at: .zero)
    }
    #expect(refusals == [nil, .weakSignal, .weakSignal])
    var any = Self.joining()
    let unknown = any.refusal(of: Self.report(1, rssi: nil), isBootloader: false, joined: 0, at: .zero)
    #expect(unknown == nil)
  }

  @Test func `F164 only so many boards join in a minute, and those that are refused do not count`() {
    var joining = Self.joining {
      $0.perMinute = 3
      $0.minimumRSSI = -70
    }
    for _ in 0..<10 {
      _ = joining.refusal(of: Self.report(9, rssi: -90), isBootloader: false, joined: 0, at: .zero)
    }
    let refusals = [0, 1, 2, 3, 59, 60].map {
      joining.refusal(of: Self.report($0), isBootloader: false, joined: 0, at: .seconds($0))
    }
    #expect(refusals == [nil, nil, nil, .rate, .rate, nil])
  }

  @Test func `F164 a blocked address does not join, and is not reported, until it is unblocked`() {
    var joining = Self.joining()
    joining.block([.number(1)])
    let refusals = [1, 2].map {
      joining.refusal(of: Self.report($0), isBootloader: false, joined: 0, at: .zero)
    }
    let notice = joining.notice(.number(1), at: .zero)
    #expect(refusals == [.blocked, nil] && notice == .known)
    joining.unblock(.number(1))
    let refusal = joining.refusal(of: Self.report(1), isBootloader: false, joined: 0, at: .zero)
    let report = joining.notice(.number(1), at: .zero)
    #expect(refusal == nil && report == .report)
  }
}

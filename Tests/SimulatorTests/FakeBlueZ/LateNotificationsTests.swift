import BoardKit
import FleetModel
import Testing

@testable import Simulator

struct LateNotificationsTests {
  private let one = BoardIdentity(number: 1).address
  private let two = BoardIdentity(number: 2).address

  @Test func `Those of one board keep their order, also when the delay shrinks`() {
    var late = LateNotifications()
    let key = MetaMotionAttributes.notification
    late.add([1], of: key, from: one, at: .seconds(5))
    late.add([2], of: key, from: one, at: .seconds(1))
    late.add([3], of: key, from: two, at: .seconds(2))
    #expect(late.next == .seconds(2) && late.isAnyOnItsWay(from: one))
    var values: [[UInt8]] = []
    while let (value, _, _) = late.popDue(at: .seconds(10)) { values.append(value) }
    #expect(values == [[3], [1], [2]])
    #expect(!late.isAnyOnItsWay(from: one))
  }
}

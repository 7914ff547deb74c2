import FleetModel
import Testing

@testable import Fleet

@Suite struct ExpiryNoticesTests {
  private static let end = Timestamp(milliseconds: 1_800_000_000_000)

  private static func certificate(_ file: String = "a.pem", _ end: Timestamp = end) -> AlarmFacts.Certificate
  {
    AlarmFacts.Certificate(file: file, expires: end)
  }

  private static func before(_ days: Double) -> Timestamp { end - .seconds(days * 86_400) }

  @Test func `F74 thirty, seven and one day before its end a certificate is announced, and then, each once`()
  {
    var notices = ExpiryNotices()
    let announced = stride(from: 40.0, through: -2, by: -0.25).flatMap { days in
      notices.due([Self.certificate()], at: Self.before(days))
    }
    #expect(announced.map(\.days) == [29, 6, 0, 0])
    #expect(announced.map(\.hasExpired) == [false, false, false, true])
    #expect(announced.first?.sentence.contains("a.pem expires in 29 days") == true)
    #expect(announced.last?.sentence.contains("a.pem has expired") == true)
  }

  @Test func `F74 one that is found late is announced once, and another one in its place anew`() {
    var notices = ExpiryNotices()
    #expect(notices.due([Self.certificate()], at: Self.before(0.5)).count == 1)
    #expect(notices.due([], at: Self.before(0.4)) == [])
    #expect(notices.due([Self.certificate()], at: Self.before(0.4)) == [])
    let next = Self.certificate("a.pem", Self.end + .seconds(5 * 86_400))
    #expect(notices.due([next], at: Self.before(0.4)).map(\.days) == [5])
    #expect(
      notices.due([next, Self.certificate("b.pem")], at: Self.before(0.4)).map(\.certificate.file) == [
        "b.pem"
      ])
  }

  @Test func `F74 a clock that is not set announces nothing`() {
    var notices = ExpiryNotices()
    #expect(notices.due([Self.certificate("a.pem")], at: Timestamp(milliseconds: 1)) == [])
  }
}

import FleetModel
import Testing

@testable import metafleet

/// The audit trail on a narrow terminal.
@Suite struct AuditPageTests {
  private static let line = AuditLine(
    time: Timestamp(milliseconds: 0), target: .group("a"), verb: "led", id: "01JDB8ZKQ4N8W2M6T5V7X9Z1AB")

  private static func lines(
    _ width: Int, who: String = "anna@gateway.building-7.example metafleet", verb: String = "stream-start",
    details: String = "id 1"
  ) -> [String] {
    let row: [Table.Cell] = [
      "2026-11-25T03:42:15.000Z", .init(who), "Pump in the second basement", .init(verb),
      "failed: board-error",
    ]
    return AuditPage(width: width, trail: [(line, row)]).lines(isColoured: false) { _ in details }
  }

  @Test(arguments: [60, 80, 100])
  func `F224 no line is wider than the terminal, and the outcome is never what gives way`(width: Int) {
    let lines = Self.lines(width)
    #expect(lines.allSatisfy { TextWidth.of($0) <= width }, "\(lines)")
    #expect(lines[1].hasPrefix("11-25 03:42:15  ") && lines[1].hasSuffix("failed: board-error"))
  }

  @Test func `F224 arguments of any length are all there`() {
    let arguments = String(repeating: "x", count: 400)
    let lines = Self.lines(80, details: "id 1  \(arguments)")
    #expect(lines.dropFirst(2).map { $0.dropFirst(4) }.joined() == "id 1  \(arguments)")
    #expect(lines.allSatisfy { TextWidth.of($0) <= 80 })
  }
}

import Testing

@testable import Fleet

@Suite struct ConnectionSummaryTests {
  @Test func `F217 sixty boards that connect one by one are one line`() {
    var summary = ConnectionSummary()
    let lines = (0...60).compactMap { summary.line(connected: $0, of: 60, at: .seconds($0 / 2)) }
    #expect(lines == ["60 of 60 boards connected"] && summary.wait == nil)
  }

  @Test func `F217 what comes and goes has a line a minute, and one when all are there again`() {
    var summary = ConnectionSummary()
    var lines: [String] = []
    for second in 0..<300 {
      if let line = summary.line(connected: 57 + second % 3, of: 60, at: .seconds(second)) {
        lines.append(line)
      }
    }
    #expect(lines.count == 4 && lines.allSatisfy { $0.hasSuffix(" of 60 boards connected") })
    #expect(summary.line(connected: 60, of: 60, at: .seconds(300)) == "60 of 60 boards connected")
    #expect(summary.line(connected: 60, of: 60, at: .seconds(900)) == nil)
  }

  @Test func `a count that was held back is due when its minute is over`() {
    var summary = ConnectionSummary()
    #expect(summary.line(connected: 0, of: 1, at: .seconds(10)) == nil && summary.wait == .seconds(60))
    #expect(summary.line(connected: 0, of: 1, at: .seconds(70)) == "0 of 1 board connected")
    #expect(summary.wait == nil)
    #expect(summary.line(connected: 1, of: 1, at: .seconds(71)) == "1 of 1 board connected")
  }

  @Test func `a gateway without boards says nothing`() {
    var summary = ConnectionSummary()
    #expect(summary.line(connected: 0, of: 0, at: .seconds(100)) == nil && summary.wait == nil)
  }
}

import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct WatchDisplayTests {
  private func display(_ count: Int = 40) -> WatchDisplay {
    var display = WatchDisplay(exampleFleet())
    for number in 0..<count {
      let sample =
        #"{"ts_ms":1000,"ax_g":0.5,"seq":1,"board":"e5a1c2d3f4b6","stream":"stream-\#(number)","gw":"g1"}"#
      display.received(
        MQTTMessage(topic: "metafleet/board/e5a1c2d3f4b6/live/x", payload: Array(sample.utf8)), at: .zero)
    }
    return display
  }

  private func lines(
    _ given: WatchDisplay, _ columns: Int = 80, _ rows: Int = 24, notice: String? = nil
  ) -> [String] {
    var display = given
    return display.lines(
      at: .zero, Timestamp(milliseconds: 2_000), TerminalSize(columns: columns, rows: rows), notice: notice,
      isColoured: false)
  }

  @Test func `it fills the screen, never wider, never taller, and says where one is`() {
    var display = display()
    for columns in [1, 20, 40, 80, 150] {
      for rows in [1, 2, 5, 24, 45] {
        let lines = lines(display, columns, rows)
        #expect(lines.count <= rows && lines.allSatisfy { TextWidth.of($0) <= columns })
      }
    }
    #expect(lines(display).first?.hasPrefix("BOARD") == true)
    #expect(lines(display).last?.hasPrefix("1–22 of 40  q quit  / find  sort: n [name]") == true)
    _ = display.press(.end)
    #expect(lines(display).last?.hasPrefix("19–40 of 40") == true)
  }

  @Test func `keys find, sort and leave`() {
    var display = display()
    for key in [.character("/"), .character("-"), .character("3"), .character("9")] as [TerminalKey] {
      _ = display.press(key)
    }
    #expect(lines(display).first == "find: -39_")
    #expect(lines(display).count { $0.hasPrefix("Pump 3") } == 1)
    for key in [.enter, .character("s")] as [TerminalKey] { _ = display.press(key) }
    #expect(lines(display).last?.contains("s [stream]") == true)
    for key in [.escape, .character("R")] as [TerminalKey] { _ = display.press(key) }
    #expect(lines(display).count { $0.hasPrefix("Pump 3") } > 10)
    let (isLeft, isEnded) = (!display.press(.character("q")), !display.press(.interrupt))
    #expect(isLeft && isEnded)
  }

  @Test func `F211 the last picture stays while the broker is gone, below what there is to say`() {
    let display = display(1)
    let lines = lines(display, notice: "broker gone for 3s")
    #expect(lines.first == "broker gone for 3s" && lines.contains { $0.hasPrefix("Pump 3") })
  }

  @Test func `an empty screen says what to do`() {
    let display = display(0)
    #expect(lines(display).contains { $0.contains("metafleet explain") })
  }
}

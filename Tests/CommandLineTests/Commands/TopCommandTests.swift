import Dialects
import FleetModel
import Foundation
import Support
import Testing

@testable import metafleet

@Suite struct TopCommandTests {
  private let enter = "\u{1B}[?1049h"
  private let leave = "\u{1B}[?25h\u{1B}[?1049l"

  @Test(arguments: [("q", 0), ("\u{3}", 130)] as [(String, Int32)])
  func `on a terminal it fills the screen, follows its size, and gives it back`(
    _ key: String, _ status: Int32
  ) async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let terminal = try PseudoTerminal(
        ["top"], environment: rig.environment, size: TerminalSize(columns: 100, rows: 20))
      let first = try await terminal.output(until: "Pump 3")
      #expect(first.contains(enter))
      #expect(first.contains("\u{1B}[1mPump 3"))
      #expect(!terminal.takesLines)
      terminal.resize(to: TerminalSize(columns: 24, rows: 5))
      let narrow = try await terminal.output(until: "Pump 3")
      #expect(narrow.contains("\u{1B}[2J"))
      terminal.type("b")
      terminal.type(key)
      let last = try await terminal.output(until: leave)
      #expect(last.hasSuffix(leave))
      #expect(try await terminal.ending() == status)
      #expect(terminal.takesLines)
    }
  }

  @Test func `a signal gives the terminal back, too`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let terminal = try PseudoTerminal(
        ["top"], environment: rig.environment.merging(["NO_COLOR": "1"]) { $1 },
        size: TerminalSize(columns: 100, rows: 20))
      let first = try await terminal.output(until: "Pump 3")
      #expect(!first.contains("\u{1B}[1m"))
      terminal.send(SIGTERM)
      #expect(try await terminal.output(until: leave).hasSuffix(leave))
      #expect(try await terminal.ending() == 143)
      #expect(terminal.takesLines)
    }
  }

  @Test(.timeLimit(.minutes(20)), arguments: [("top", "no gateway has spoken"), ("watch", "no samples yet")])
  func `F211 a screen outlives its broker, says so, and goes on by itself`(_ command: String, _ empty: String)
    async throws
  {
    try await MosquittoProcess.with { broker in
      let terminal = try PseudoTerminal(
        [command],
        environment: ["METAFLEET_MQTT_HOST": "127.0.0.1", "METAFLEET_MQTT_PORT": "\(broker.port)"],
        size: TerminalSize(columns: 100, rows: 20))
      _ = try await terminal.output(until: empty)
      broker.stop()
      #expect(try await terminal.output(until: "broker gone for").contains("broker gone for"))
      try broker.restart()
      // The line about the outage goes, so the list moves up.
      let back = try await terminal.output(until: command == "top" ? "broker back" : "BOARD")
      #expect(!back.contains(leave))
      terminal.type("q")
      #expect(try await terminal.output(until: leave).hasSuffix(leave))
      #expect(try await terminal.ending() == 0)
    }
  }

  @Test func `in a pipe it is one snapshot, as text and as JSON`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      let text = try await BuiltProgram.run(["top", "--sort", "battery"], environment: rig.environment)
      #expect(text.status == 0, "\(text.errors)")
      #expect(!text.output.contains("\u{1B}"))
      let lines = text.output.split(separator: "\n").map(String.init)
      #expect(lines.contains { $0.hasPrefix("g1       online") })
      #expect(lines.count { $0.hasPrefix("Pump 3") } == 1)

      let json = try await BuiltProgram.run(
        ["top", "--json", "--for", "100ms"], environment: rig.environment)
      let objects = try json.output.split(separator: "\n").map {
        try StrictJSON.parse(Array($0.utf8), limits: .trusting).object
      }
      #expect(objects.compactMap { ($0?["gateway"] ?? $0?["board"])?.string } == ["g1", "e5a1c2d3f4b6"])
      #expect(try await BuiltProgram.run(["top", "--sort", "mood"]).status == 64)
    }
  }
}

import ArgumentParser
import FleetModel
import MetaMotion

/// `decode`: packets of a sniffer trace in words.
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explains packets between a host and a MetaMotion in words.",
    discussion: """
      Bytes are hex, with or without spaces, colons or 0x. Without arguments packets are read from standard input, one \
      per line, and what one says about the board helps with the next; # begins a comment, and > or < says that the \
      host or the board sent it. A packet that may come from either side is explained for both.

      Explained are the registers of all modules of a MetaMotion. Bytes that are not understood are shown as unknown.

      Examples:
        metafleet decode 02 03 02 02 10 10 00 00 f4 01 00 00 e8 03 00 00 05
        metafleet decode 118c633410 --from board
        metafleet decode 03:04:16:c4:94:a2:2a:d0 --from board --range 4
        metafleet decode --model s --json < trace.txt | jq -c .fields

      Exit status: 0 explained, as far as that goes; 64 something was not a packet.
      """)

  @Argument(help: "The bytes of one packet; without any, lines of standard input.") var bytes: [String] = []
  @Option(help: "Who sent it: host or board; else guessed from the bytes.") var from:
    PacketExplanation.Sender?
  @Option(help: ArgumentHelp("The board: r, rl or s; some registers depend on its chip.", valueName: "model"))
  var model: String?
  @Option(help: ArgumentHelp("Range of the accelerometer: 2, 4, 8 or 16.", valueName: "g")) var range: Int?
  @Flag(help: "One JSON object per reading of a packet.") var json = false

  func run() throws {
    guard let context = PacketContext(model: model, rangeG: range) else {
      throw CommandLineFailure(.usage, "--model must be r, rl or s, and --range 2, 4, 8 or 16")
    }
    var explainer = PacketExplainer(context)
    guard bytes.isEmpty else { return try explain(bytes.joined(separator: " "), &explainer) }
    var number = 0
    var isAnyWrong = false
    while let line = readLine() {
      number += 1
      do {
        try explain(line, &explainer)
      } catch let error as CommandLineFailure {
        Console.note("metafleet: line \(number): \(error.message)")
        isAnyWrong = true
      }
    }
    if isAnyWrong { throw CommandLineFailure(.usage, "") }
  }

  private func explain(_ line: String, _ explainer: inout PacketExplainer) throws {
    guard let packet = try PacketLine(line) else { return }
    for explanation in explainer.explain(packet.bytes, from: packet.sender ?? from) {
      let text = PacketText(explanation: explanation)
      if json {
        try Console.line(JSONText.of(.object(text.json)))
        continue
      }
      let width = Console.width ?? FactSheet.pipeWidth
      for line in text.sheet.lines(width: width, isColoured: Console.hasColours) { try Console.line(line) }
    }
  }
}

extension PacketExplanation.Sender: ExpressibleByArgument {}

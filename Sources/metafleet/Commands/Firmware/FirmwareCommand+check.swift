import ArgumentParser
import FleetModel

extension FirmwareCommand {
  /// Asks the gateways.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Asks the gateways which firmware their boards have, and what is the newest for each.",
      discussion: """
        A sentence for each board, of what metafleet send TARGET firmware-check answers. Gateways answer from the index \
        that they fetched last, where that is less than half an hour old.

        Examples:
          metafleet firmware check
          metafleet firmware check "Pump 3" --refresh

        Exit status: 0 every board answered; 1 not every one, such as one that was never connected; 64 no such target; 69 \
        no broker; 75 no answer; 77 denied.
        """)

    @Argument(
      help: "Board (name, id, beginning) or group:<name>; every board without one.",
      completion: FleetCompletion.boards)
    var target = "group:all"
    @Flag(help: "Have the index fetched anew first.") var refresh = false
    @Flag(help: "Print the replies as they are, one JSON object per line.") var json = false
    @OptionGroup var broker: BrokerOptions

    func run() async throws {
      Signals.endAtOnce()
      var request = try SendRequest(
        verb: "firmware-check", arguments: refresh ? ["refresh": true] : [:], isQueued: false, expires: nil,
        id: nil)
      request.sentence = { FirmwareSentence.text(of: $0, name: $1, now: .system) }
      try await request.send(to: target, over: broker, json: json)
    }
  }
}

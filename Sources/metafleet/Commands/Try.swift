import ArgumentParser
import BlueZ
import BoardKit
import EventLoops
import FleetModel
import MetaMotion

/// `try`: the first contact with a board.
struct Try: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Connects one board, and shows step by step that it works.",
    discussion: """
      For a board that has just been unpacked. Needs BlueZ on this computer, on the bus that \
      DBUS_SYSTEM_BUS_ADDRESS names, else the system's; no broker, no configuration file, no state directory.

      One line for each step, as it happens: adapter, scan, connect, information, programs (what the board holds of \
      others), battery, led (three green flashes), haptic (200 ms), acceleration (five seconds at 50 Hz), disconnect. \
      Each says whether the board was asked ("read", "read back") or only told ("only sent").

      Without an address the board received best is taken. Nothing that the board keeps is changed: LED and sensor are \
      switched off again. What a board does for somebody is not disturbed: one that logs is not shaken, and its sensors \
      are left alone; one that another program is connected to is not connected.

      Examples:
        metafleet try
        metafleet try E5:A1:C2:D3:F4:B6 --adapter hci1
        metafleet try --json | jq -r 'select(.result == "failed") | .error'

      Exit status: 0 all steps done, or left out for the reason that their lines give; 1 a step failed, or no board; 64 \
      not an address; 69 no Bluetooth, or no bus; 75 another program has the board; 77 BlueZ denies access; after Ctrl-C, \
      with the board disconnected, 130.
      """)

  @Argument(help: ArgumentHelp("The board, by its address.", valueName: "address"))
  var address: String?

  @Option(help: ArgumentHelp("Use this adapter, by name or address.", valueName: "adapter"))
  var adapter: String?

  @Option(help: ArgumentHelp("How long to scan at most.", valueName: "duration"))
  var scanFor = Span(.seconds(10))

  @Flag(help: "One JSON object per step.") var json = false

  func run() async throws {
    let family = MetaMotionFamily.descriptor
    let wanted = try address.map { text throws(CommandLineFailure) in try TryAddress.board(text) }
    let loop = try EventLoop.named("radio")
    let requests = try Signals.requests(on: loop)
    let timekeeper = SystemTimekeeper(wakingOn: loop)
    let radio = BlueZRadio(
      BlueZSetup(services: family.advertisedServices, characteristics: family.requiredCharacteristics),
      on: loop,
      timekeeper: timekeeper)
    let isJSON = json
    let trial = Trial(
      scan: TryScan(wanted: wanted, adapter: adapter, span: scanFor.duration, family: family),
      radio: radio, loop: loop, family: family, timekeeper: timekeeper
    ) { step throws(OutputFailure) in
      try Console.line(isJSON ? JSONText.of(.object(step.json)) : step.line)
    }
    let signal = await withTaskGroup(of: Int32?.self) { group in
      group.addTask {
        await radio.run()
        return nil
      }
      group.addTask {
        guard let signal = await First.value(of: requests) else { return nil }
        await trial.stop()
        return signal
      }
      await trial.run()
      group.cancelAll()
      return await group.reduce(nil as Int32?) { $0 ?? $1 }
    }
    if let failure = await trial.outputFailure { throw failure }
    if let signal { throw ExitCode(128 + signal) }
    let status = await trial.report.status
    if status != .ok { throw CommandLineFailure(status, "") }
  }
}

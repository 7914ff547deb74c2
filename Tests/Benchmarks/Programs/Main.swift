/// The product's halves of the benchmarks; `Tests/Benchmarks/run` starts them, and their twins in other languages,
/// in turn. Each prints one line of JSON.
@main enum Program {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let port = arguments.dropFirst().first.flatMap { UInt16($0) } ?? 1883
    switch arguments.first {
    case "live": try await LiveProgram(port: port).run()
    case "durable": try await DurableProgram(port: port, directory: arguments.last ?? ".").run()
    case "decode": try await DecodeProgram().run()
    case "log-decode": try LogDecodeProgram().run()
    case "encode": try EncodeProgram().run()
    case "churn":
      try ChurnProgram(
        boards: Int(arguments.dropFirst().first ?? "") ?? 500,
        minutes: Int(arguments.dropFirst(2).first ?? "") ?? 60, directory: arguments.last ?? "."
      ).run()
    case "outbox": try await OutboxProgram(directory: arguments.last ?? ".").run()
    case "relay":
      try await RelayProgram(
        port: port, directory: arguments.dropFirst(2).first ?? ".",
        batches: Int(arguments.last ?? "") ?? 50_000
      ).run()
    case "archive": try await ArchiveProgram(directory: arguments.last ?? ".").archive()
    case "export":
      try ArchiveProgram(directory: arguments.dropFirst().first ?? ".").export(
        to: arguments.last ?? "/dev/null")
    case "publish": try await PublishProgram(port: port, messages: Int(arguments.last ?? "") ?? 50_000).run()
    default:
      print(
        """
        usage: Benchmarks live PORT | durable PORT DIRECTORY | decode | log-decode | encode
                          | publish PORT MESSAGES | relay PORT DIRECTORY BATCHES | churn BOARDS MINUTES DIRECTORY
                          | outbox DIRECTORY | archive DIRECTORY | export DIRECTORY FILE
        """)
    }
  }
}

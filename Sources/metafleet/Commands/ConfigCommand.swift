import ArgumentParser
import FleetModel

/// `config check|example|schema`.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Checks the configuration file, or prints an example or its JSON Schema.",
    subcommands: [Check.self, Example.self, Schema.self])

  /// Names the problems of a file.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Names every problem of the configuration file with its line.",
      discussion: """
        Prints one line per problem: file:line:column: severity: what is wrong and what to do. Errors keep the daemon \
        from starting; a warning says that something has no effect, or is perhaps not meant. --config - reads standard \
        input. Exit status 78 when there are errors, else 0.
        """)

    @OptionGroup var file: ConfigurationOptions
    @Flag(help: "The file for clients: the one of --config, else the one that client commands take.")
    var client = false
    @Flag(help: "One JSON object per problem.") var json = false

    func run() throws {
      let file = try client ? ClientFile.existing(file) : file.existing()
      let problems = client ? file.readClient().problems : file.read().problems
      for problem in problems {
        try Console.line(json ? JSONText.of(.object(problem.json)) : printable(problem.report(in: file.name)))
      }
      let errors = problems.count { $0.severity == .error }
      let warnings = problems.count - errors
      Console.note("\(file.name): \(CountText.of(errors, "error")), \(CountText.of(warnings, "warning"))")
      if errors > 0 { throw CommandLineFailure(.configuration, "") }
    }
  }

  /// Prints a file with every key.
  struct Example: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints a commented configuration with every key, default and unit.",
      discussion:
        "Redirect it to a file, list your boards at its end, and check it with metafleet config check.")

    @OptionGroup var file: ConfigurationOptions
    @Flag(help: "The file for clients.") var client = false
    @Flag(help: "One JSON object per key: what it takes, its default, when a change takes effect.") var json =
      false

    func run() throws {
      guard json else {
        return try Console.write(client ? ConfigurationExample.clientText() : ConfigurationExample.text())
      }
      for key in client ? KeyListing.clientObjects : KeyListing.objects {
        try Console.line(JSONText.of(.object(key)))
      }
    }
  }

  /// Prints the schema.
  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the JSON Schema of the configuration file, for editors.")

    @OptionGroup var file: ConfigurationOptions
    @Flag(help: "The file for clients.") var client = false
    @Flag(help: "Accepted for symmetry: the schema is one JSON object anyway.") var json = false

    func run() throws {
      try Console.line(JSONText.of(.object(client ? JSONSchema.clientFile : JSONSchema.file)))
    }
  }
}

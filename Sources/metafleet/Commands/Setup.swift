import ArgumentParser
import BoardKit
import FleetModel
import Foundation
import Glibc
import Storage

/// `setup`: a configuration file out of three answers.
struct Setup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks three questions, and writes the configuration file.",
    discussion: """
      The broker, the name of the gateway, and which of the boards that are received now it shall have. What options \
      say is not asked; with --yes nothing is: the broker is on this computer, the gateway is called like it, and \
      all boards that are received are taken. The boards get a profile that streams acceleration and temperature: \
      change it in the file.

      A file that is there is never touched. Of the broker, options such as --username, --password-file and --tls are \
      written into the file, too.

      Examples:
        sudo metafleet setup
        metafleet setup --yes --host broker.example --gateway floor-3 --output metafleet.yaml
        metafleet setup --gateway floor-3 --boards none --yes

      Exit status: 0 written; 64 an answer that is none; 73 the file is there already, or cannot be written; 78 what was \
      answered does not make a right file.
      """)

  @Option(help: ArgumentHelp("The gateway's name.", valueName: "id")) var gateway: String?
  @Option(
    help: ArgumentHelp("all, none, or addresses with commas between; else it is asked.", valueName: "boards"))
  var boards: String?
  @Option(help: ArgumentHelp("How long boards are looked for.", valueName: "duration"))
  var scanFor = Span(.seconds(10))
  @Option(
    help: ArgumentHelp(
      "The file; else /etc/metafleet/metafleet.yaml for root, ~/.config/metafleet/metafleet.yaml for others.",
      valueName: "file"), completion: .file())
  var output: String?
  @Flag(help: "Asks nothing.") var yes = false
  @OptionGroup var broker: BrokerOptions

  func run() async throws {
    Signals.endAtOnce()
    let path = output ?? Self.usualPath
    guard access(path, F_OK) != 0 else { throw Self.taken(path) }
    let uplink = try askForBroker()
    let id = try SetupAnswers.gateway(
      gateway
        ?? ask(
          "Name of this gateway, for topics", standard: GatewayName.fitting(ProcessInfo.processInfo.hostName))
    )
    let answers = SetupAnswers(uplink: uplink, gateway: id, boards: try await askForBoards())
    try Self.check(answers.text, at: path)
    try Self.write(answers.text, to: path)
    Console.note(
      "\(printable(path)) is written. Next: metafleet doctor, then sudo systemctl start metafleet, or "
        + "metafleet run --config \(printable(path))")
  }

  private func askForBroker() throws -> UplinkConfiguration {
    let uplink = Self.fromAnywhere(try broker.laid(over: UplinkConfiguration()))
    guard broker.host == nil else { return uplink }
    return try SetupAnswers.broker(
      ask("Broker, as a name or an address", standard: uplink.host), over: uplink)
  }

  /// Files that options name lie in the working directory, those of the file beside it. A password of the environment
  /// is nothing for a file.
  private static func fromAnywhere(_ uplink: UplinkConfiguration) -> UplinkConfiguration {
    func absolute(_ file: String) -> String? {
      if file.hasPrefix(SecretFile.environmentPrefix) { return nil }
      return file.hasPrefix("/") || file.hasPrefix("credential:")
        ? file : "\(FileManager.default.currentDirectoryPath)/\(file)"
    }
    var uplink = uplink
    uplink.passwordFile = uplink.passwordFile.flatMap(absolute)
    uplink.tls = uplink.tls.map { tls in
      TLSConfiguration(
        authority: tls.authority.flatMap(absolute), certificate: tls.certificate.flatMap(absolute),
        key: tls.key.flatMap(absolute))
    }
    return uplink
  }

  private func askForBoards() async throws -> [BoardID] {
    if let boards, boards.lowercased() != "all" { return try SetupAnswers.boards(boards, of: []) }
    let heard = await listen()
    if boards != nil || yes || heard.isEmpty { return heard.map(\.board) }
    for (index, board) in heard.enumerated() {
      let strength = board.rssi.map { " \($0) dBm" } ?? ""
      Console.note(
        "  \(index + 1)  \(board.board.address.colonSeparated)\(strength) \(printable(board.name ?? ""))")
    }
    return try SetupAnswers.boards(ask("Which of them: all, none, or numbers", standard: "all"), of: heard)
  }

  /// The boards that are received; none, and why, where that cannot be.
  private func listen() async -> [SetupAnswers.Heard] {
    do {
      let heard = try await Scan.listen(isEverything: false, span: scanFor.duration).sorted.map {
        SetupAnswers.Heard(board: $0.report.board, name: $0.report.visibleName, rssi: $0.report.rssi)
      }
      if heard.isEmpty { Console.note("no board was received; metafleet admit ADDRESS adds one later") }
      return heard
    } catch {
      let why = (error as? CommandLineFailure)?.message ?? "\(error)"
      Console.note("no boards can be looked for: \(why). metafleet admit ADDRESS adds one later")
      return []
    }
  }

  /// An answer, the standard one where nothing is typed.
  private func ask(_ question: String, standard: String) throws(CommandLineFailure) -> String {
    if yes { return standard }
    Console.draw("\(question) [\(printable(standard))]: ")
    guard let line = readLine() else {
      throw CommandLineFailure(
        .usage, "nobody answers: \(question)? Say it by an option, or take the defaults with --yes")
    }
    let answer = line.trimmingCharacters(in: .whitespaces)
    return answer.isEmpty ? standard : answer
  }

  /// What was answered has to make a file that a gateway starts with.
  private static func check(_ text: String, at path: String) throws(CommandLineFailure) {
    let files = FileReferences(
      directory: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      credentials: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] ?? "/etc/metafleet",
      inspect: ConfigurationFile.inspect)
    let problems = ConfigurationReader.read(text, hostName: ProcessInfo.processInfo.hostName, files: files)
      .problems
    for problem in problems { Console.note(printable(problem.report(in: path))) }
    if problems.hasErrors { throw CommandLineFailure(.configuration, "nothing was written") }
  }

  /// A file that appeared meanwhile is not overwritten either (fault F245).
  private static func write(_ text: String, to path: String) throws(CommandLineFailure) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw taken(path) }
      throw CommandLineFailure(.taken, PathFailure.text(path, "written"))
    }
    let isWritten = Console.send(Array(text.utf8), to: descriptor)
    let code = errno
    guard close(descriptor) == 0, isWritten else {
      unlink(path)
      throw CommandLineFailure(.taken, PathFailure.text(path, "written", code: code))
    }
  }

  private static func taken(_ path: String) -> CommandLineFailure {
    CommandLineFailure(
      .taken,
      "\(printable(path)) is there already and is left as it is; change it with an editor, or name another file with --output"
    )
  }

  private static let systemPath = "/etc/metafleet/metafleet.yaml"

  private static var usualPath: String {
    let environment = ProcessInfo.processInfo.environment
    guard geteuid() != 0,
      case .usual(let paths) = ConfigurationFile.Place(option: nil, environment: environment)
    else { return systemPath }
    return paths.first ?? systemPath
  }
}

import ArgumentParser
import Dialects

/// Options of the commands that write samples.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Where to, such as pump3.csv; - or nothing is standard output.", valueName: "file"),
    completion: .file(extensions: SampleRows.Format.allCases.map(\.rawValue)))
  var output: String?
  @Option(help: "csv, jsonl or lp; else what the file's name ends with.") var format: SampleRows.Format?
  @Flag(help: "Overwrite a file that is there.") var force = false

  /// nil: standard output.
  var path: String? { output == "-" ? nil : output }

  /// What people are told of the place.
  var place: String { path.map(printable) ?? "standard output" }

  func chosenFormat() throws(CommandLineFailure) -> SampleRows.Format { try .chosen(format, for: path) }

  /// Makes the file; one that is there stays as it is, unless `--force` was given.
  func open() throws(CommandLineFailure) -> ResultFile { try ResultFile(path: path, isOverwriting: force) }
}

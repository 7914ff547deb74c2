import ArgumentParser
import Dialects

extension SampleRows.Format: ExpressibleByArgument {
  /// What `--format` says; else what the name of the file ends with; else CSV, to standard output.
  static func chosen(
    _ said: SampleRows.Format?, for path: String?
  ) throws(CommandLineFailure) -> SampleRows.Format {
    if let said { return said }
    guard let path else { return .csv }
    let ending = path.split(separator: "/").last.flatMap { name in
      name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    }
    if let format = ending.flatMap(SampleRows.Format.init(rawValue:)) { return format }
    throw CommandLineFailure(
      .usage, "\(quoted(path)) does not say what to write: end it with .csv, .jsonl or .lp, or give --format")
  }
}

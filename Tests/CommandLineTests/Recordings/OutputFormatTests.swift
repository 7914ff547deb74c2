import Dialects
import Testing

@testable import metafleet

@Suite struct OutputFormatTests {
  @Test(
    arguments: [
      (nil, nil, .csv), (nil, "a.csv", .csv), (nil, "b/a.x.JSONL", .jsonl), (nil, "a.lp", .lp),
      (.lp, nil, .lp),
      (.jsonl, "a.csv", .jsonl), (.csv, "a.txt", .csv),
    ] as [(SampleRows.Format?, String?, SampleRows.Format)])
  func `what is said counts, then the file's ending`(
    said: SampleRows.Format?, path: String?, format: SampleRows.Format
  ) throws {
    #expect(try SampleRows.Format.chosen(said, for: path) == format)
  }

  @Test(arguments: ["a", "a.txt", "a.csv/b", ".csv.gz", "a."])
  func `an ending that says nothing is refused`(path: String) {
    let failure = #expect(throws: CommandLineFailure.self) { try SampleRows.Format.chosen(nil, for: path) }
    #expect(failure?.status == .usage && failure?.message.contains(".csv, .jsonl or .lp") == true)
  }
}

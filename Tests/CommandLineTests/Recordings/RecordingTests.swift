import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct RecordingTests {
  private static func recording(_ format: SampleRows.Format = .csv) throws -> Recording {
    var fleet = FleetView(base: "metafleet")
    fleet.apply(
      topic: "metafleet/board/e5a1c2d3f4b6/info", payload: Array(#"{"name":"Pump, 3","gw":"g1"}"#.utf8))
    let choice = try RecordingChoice(fleet, boards: [], streams: ["temperature-die"])
    return Recording(fleet, rows: choice.rows(format), base: "metafleet")
  }

  private static func lines(_ recording: inout Recording) -> [String] {
    String(decoding: recording.take(), as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  @Test func `F230 every sample that was delivered is a row, once`() throws {
    var recording = try Self.recording()
    for batch in [RecordExample.batch(0..<3), RecordExample.batch(3..<5), RecordExample.batch(0..<3)] {
      recording.received(RecordExample.message(batch))
    }
    recording.received(RecordExample.message(RecordExample.batch(4..<7)))
    recording.end()
    let lines = Self.lines(&recording)
    #expect(
      lines.dropFirst().dropLast().map { $0.split(separator: ",", omittingEmptySubsequences: false)[9] }
        == ["0", "1", "2", "3", "4", "5", "6"])
    #expect(lines.dropFirst().dropLast().allSatisfy { $0.contains(",\"Pump, 3\",") })
    #expect(lines.last == "# rows: 7")
    #expect(recording.isWhole)
    #expect(
      recording.sentence(writtenTo: "x.csv") == "7 samples of 1 board and 1 stream written to x.csv; no gaps")
  }

  @Test func `a name that changes is the new one from then on, and other topics are nothing`() throws {
    var recording = try Self.recording(.jsonl)
    recording.received(RecordExample.message(RecordExample.batch(0..<1)))
    recording.received(
      MQTTMessage(topic: "metafleet/board/e5a1c2d3f4b6/info", payload: Array(#"{"name":"Tank"}"#.utf8)))
    recording.received(RecordExample.message(RecordExample.batch(1..<2)))
    for topic in ["metafleet/board/e5a1c2d3f4b6/live/temperature-die", "other/board/e5a1c2d3f4b6/record/x"] {
      var message = RecordExample.message(RecordExample.batch(2..<3))
      message.topic = topic
      recording.received(message)
    }
    let lines = String(decoding: recording.take(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""board_name":"Pump, 3""#) == true)
    #expect(lines.last?.contains(#""board_name":"Tank""#) == true)
  }

  @Test func `F230 what is missing is told, and what is no batch`() throws {
    var recording = try Self.recording()
    recording.received(RecordExample.message(RecordExample.batch(0..<3)))
    recording.received(RecordExample.message(RecordExample.batch(13..<15)))
    recording.received(
      MQTTMessage(topic: "metafleet/board/e5a1c2d3f4b6/record/temperature-die", payload: [0x7B]))
    #expect(!recording.isWhole)
    #expect(
      recording.sentence(writtenTo: "x.csv")
        == "5 samples of 1 board and 1 stream written to x.csv; 10 samples in 1 gap of seq were published and did not come "
        + "here; 1 message could not be read and went nowhere")
  }

  @Test func `where nothing came it says what may be the matter`() throws {
    let recording = try Self.recording()
    #expect(!recording.isWhole && recording.sentence(writtenTo: "x.csv").hasPrefix("no sample came; "))
  }

  @Test func `line protocol is what the lane carries`() throws {
    var recording = try Self.recording(.lp)
    let batch = RecordExample.batch(0..<3)
    recording.received(RecordExample.message(batch))
    #expect(recording.take() == LineProtocol.lines(batch, gateway: "g1"))
  }
}

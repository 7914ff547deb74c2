import FleetModel
import Testing

@testable import Web

@Suite struct MetricsTextTests {
  private static func text(_ add: (inout MetricsText) -> Void) -> String {
    var text = MetricsText()
    add(&text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  @Test func `a family has help, type and samples`() {
    let text = Self.text {
      $0.add("a_total", .counter, "Help \\ with\nall", [.init(3), .init(0.5, [("b", "1"), ("c", "x")])])
    }
    #expect(
      text == """
        # HELP metafleet_a_total Help \\\\ with\\nall.
        # TYPE metafleet_a_total counter
        metafleet_a_total 3
        metafleet_a_total{b="1",c="x"} 0.5

        """)
  }

  @Test func `labels from the air are escaped`() {
    let text = Self.text { $0.add("a", .gauge, "Help", [.init(1, [("name", "a\"b\\c\nd é")])]) }
    #expect(text.hasSuffix(#"metafleet_a{name="a\"b\\c\nd é"} 1"# + "\n"))
  }

  @Test func `what is no number, and a family without numbers, is left out`() {
    #expect(Self.text { $0.add("a", .gauge, "Help", [.init(.nan), .init(.infinity)]) } == "")
    #expect(Self.text { $0.add("a", .gauge, "Help", []) } == "")
  }

  @Test func `a histogram counts upwards and has a sum`() {
    var histogram = Histogram(bounds: [0.5, 2])
    for value in [0.25, 1, 1, 3] { histogram.note(value) }
    #expect(
      Self.text { $0.add("h_seconds", "Help", histogram) } == """
        # HELP metafleet_h_seconds Help.
        # TYPE metafleet_h_seconds histogram
        metafleet_h_seconds_bucket{le="0.5"} 1
        metafleet_h_seconds_bucket{le="2"} 3
        metafleet_h_seconds_bucket{le="+Inf"} 4
        metafleet_h_seconds_sum 5.25
        metafleet_h_seconds_count 4

        """)
  }
}

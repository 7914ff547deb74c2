import Testing

@Suite struct TopicContractTests {
  @Test(arguments: [
    ("metafleet/board/${board}/live/acceleration", "ax_g"),
    ("${base}/board/c0ffee000002/state", "battery_pct"),
    ("metafleet/gateway/${gateway}/health", "samples_dropped"), ("metafleet/board/+/reply/+", "evidence"),
    ("metafleet/board/+/event/button", "event_type"), ("metafleet/board/+/availability", "state"),
  ])
  func `knows topics and keys`(filter: String, key: String) {
    #expect(TopicContract.ours.keys(of: filter)?.contains(key) == true)
  }

  @Test(arguments: [
    "metafleet/board/+/live/accelleration", "metafleet/board/+/telemetry", "metafleet/+/state",
    "other/board/+/state",
  ])
  func `knows no others`(filter: String) {
    #expect(TopicContract.ours.keys(of: filter) == nil)
  }
}

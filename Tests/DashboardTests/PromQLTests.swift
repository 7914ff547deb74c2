import Testing

@Suite struct PromQLTests {
  @Test(arguments: [
    "up{job=\"metafleet\"} == 0",
    "sum by (job, instance, le) (rate(metafleet_sample_age_seconds_bucket[5m]))",
    "metafleet_board_online * on (job, instance, board) group_left (name) metafleet_board_info{gateway=~\"${gateway}\"}",
    "predict_linear(metafleet_storage_free_bytes[6h], 86400) < 0 and metafleet_storage_free_bytes < 5e9",
  ])
  func `names that there are raise nothing`(expression: String) {
    #expect(PromQL.problems(of: expression) == [])
  }

  @Test(arguments: [
    ("metafleet_boards_onlin", "no metric"), ("rate(metafleet_boards_admitted_total[5m])", "no metric"),
    ("metafleet_board_online{device=\"a\"}", "no label device on metafleet_board_online"),
    ("sum by (device) (metafleet_board_online)", "no label device in by"),
    ("rates(metafleet_samples_in_total[5m])", "no function rates"),
    ("metafleet_storage_condition{condition=~\"full|little\"}", "no condition little"),
  ])
  func `any other is named`(expression: String, word: String) {
    #expect(PromQL.problems(of: expression).contains { $0.contains(word) })
  }

  @Test func `the contract has the page's series and labels`() {
    let labels = MetricContract.ours.labels
    #expect(labels["metafleet_board_info"] == ["board", "name", "model", "fw", "site", "gateway"])
    #expect(labels["metafleet_gateway_info"] == ["gateway", "version", "site"])
    #expect(labels["metafleet_commit_time_seconds_bucket"] == ["le"])
    #expect(labels["metafleet_board_log_used_ratio"] == ["board"] && labels.count > 70)
  }
}

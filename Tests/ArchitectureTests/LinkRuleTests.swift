import Testing

@Suite struct LinkRuleTests {
  @Test(arguments: Repository.documents)
  func `every link between documents leads somewhere`(document: String) {
    let text = Repository.text(document)
    #expect(
      LinkRule.violations(in: text, at: document, exists: Repository.exists, text: Repository.text) == [])
  }

  @Test func `the documents link to each other`() {
    #expect(Repository.documents.flatMap { LinkRule.targets(in: Repository.text($0)) }.count > 60)
  }

  private func violations(_ text: String) -> Int {
    let files = ["deploy/docs/one.md": text, "deploy/docs/deep/two.md": "# Two\n\n## 3.1 `led`, *on*\n"]
    return LinkRule.violations(
      in: text, at: "deploy/docs/one.md", exists: { files[$0] != nil || $0 == "Tests" },
      text: { files[$0] ?? "" }
    ).count
  }

  @Test(arguments: [
    "[two](deep/two.md)", "[two](./deep/two.md#two)", "[led](deep/two.md#31-led-on)", "[tests](../../Tests)",
    "# Here\n[here](#here)", "[out](https://example.org/nothing.md)", "[mail](mailto:a@example.org)",
    "`[code](gone.md)`", "```sh\necho [code](gone.md)\n```",
  ])
  func `a link that leads somewhere is none`(text: String) { #expect(violations(text) == 0) }

  @Test(arguments: [
    "[gone](deep/gone.md)", "[gone](two.md)", "[gone](deep/two.md#32-led)", "[gone](#here)",
    "[out](../../../Tests/x)",
  ])
  func `a link that leads nowhere is found`(text: String) { #expect(violations(text) == 1) }

  @Test func `headings that say the same are told apart`() {
    #expect(
      LinkRule.anchors(in: "# A b\n```\n# no\n```\n## A b\n### A-b_c (d)\n") == ["a-b", "a-b-1", "a-b_c-d"])
  }
}

import Testing

@Suite struct DocumentLinkRuleTests {
  @Test(arguments: Repository.documents)
  func `every link leads somewhere`(document: String) {
    let text = Repository.text(document)
    #expect(DocumentLinkRule.violations(in: text, at: document, exists: Repository.exists) == [])
  }

  @Test func `the README has links`() {
    #expect(DocumentLinkRule.targets(in: Repository.text("README.md")).count > 10)
  }

  @Test func `a link that leads nowhere is found`() {
    let text = """
      See [one](../there.md#part), [two](gone.md), [three](../../../out.md), [four](https://example.org/a.md), [five](#here).

      ```sh
      echo "[six](gone.md)"   # `[seven](gone.md)` is code, too
      ```
      """
    let found = DocumentLinkRule.violations(in: text, at: "deploy/docs/a.md") { $0 == "deploy/there.md" }
    #expect(
      found.map(\.message) == [
        "has a link to gone.md, which leads nowhere", "has a link to ../../../out.md, which leads nowhere",
      ])
  }
}

import Testing

@testable import Web

@Suite struct OriginRuleTests {
  private static func allows(
    _ headers: [String: String], at host: String = "gw.local:9464", asDocument: Bool = false
  ) -> Bool {
    OriginRule.allows(RequestExample.get(headers: headers), at: host, asDocument: asDocument)
  }

  @Test func `F237 programs and pages of ours are let in`() {
    #expect(Self.allows([:]))
    #expect(Self.allows(["origin": "http://gw.local:9464", "sec-fetch-site": "same-origin"]))
    #expect(Self.allows(["origin": "https://GW.local:9464"]))
    #expect(Self.allows(["sec-fetch-site": "none"]))
  }

  @Test(arguments: ["cross-site", "same-site", "", "same-origin, none"])
  func `F237 what a browser sends for somebody else is not`(site: String) {
    #expect(!Self.allows(["sec-fetch-site": site]))
    #expect(!Self.allows(["sec-fetch-site": site, "origin": "http://gw.local:9464"]))
  }

  @Test func `a link on another page leads to ours, and nowhere else`() {
    let link = ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"]
    #expect(Self.allows(link, asDocument: true) && !Self.allows(link))
    for other in [["sec-fetch-dest": "iframe"], ["sec-fetch-mode": "no-cors"], ["origin": "http://evil.com"]]
    {
      #expect(!Self.allows(link.merging(other) { $1 }, asDocument: true))
    }
  }
}

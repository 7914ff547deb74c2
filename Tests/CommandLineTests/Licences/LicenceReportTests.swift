import Testing

@testable import metafleet

@Suite struct LicenceReportTests {
  private let text = LicenceReport.text()

  @Test(arguments: LinkedWork.all)
  func `each work has its notice and the whole text of its licence`(work: LinkedWork) {
    #expect(text.contains("\n\(work.name) ("))
    for holder in work.holders { #expect(text.contains(holder)) }
    #expect(text.contains("Licence: \(work.licence.name)"))
    #expect(text.contains(work.licence.text))
  }

  @Test func `each text comes once, and the program's own is among them`() {
    for licence in Set(LinkedWork.all.map(\.licence)) where !licence.name.contains("WITH Swift") {
      #expect(text.ranges(of: "\n\n\(licence.name)\n---").count <= 1)
    }
    #expect(text.hasPrefix("MetaFleet\n"))
    #expect(text.contains("/usr/share/common-licenses/Apache-2.0"))
  }
}

import FleetModel
import Testing

@testable import metafleet

@Suite struct VerbHelpTests {
  @Test(arguments: VerbDefinition.Addressee.allCases)
  func `every verb is named, and its page explains every argument`(_ addressee: VerbDefinition.Addressee) {
    let names = VerbHelp.names(for: addressee)
    for verb in VerbCatalogue.all where verb.addressee == addressee {
      #expect(names.contains(verb.name))
      let page = VerbHelp.page(of: verb)
      #expect(page[0].hasPrefix("\(verb.name): "))
      for parameter in verb.parameters + (verb.fork?.branches.flatMap(\.parameters) ?? [])
      where parameter.name != verb.fork?.key {
        #expect(page.contains { $0.hasPrefix("  \(parameter.name)") }, "\(verb.name) \(parameter.name)")
      }
      for result in verb.answer.results { #expect(page.contains { $0.hasPrefix("  \(result.name): ") }) }
      // An example is to be copied: it stays on its line.
      #expect(page.dropLast().allSatisfy { TextWidth.of($0) <= 78 }, "\(verb.name)")
    }
    #expect(names.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 78 })
  }
}

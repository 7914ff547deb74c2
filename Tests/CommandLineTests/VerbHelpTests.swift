import FleetModel
import Testing

@testable import metafleet

@Suite struct VerbHelpTests {
  @Test(arguments: [VerbDefinition.Addressee.board, .gateway])
  func `every verb and every argument of the catalogue is explained`(_ addressee: VerbDefinition.Addressee) {
    let text = VerbHelp.text(for: addressee)
    for verb in VerbCatalogue.all where verb.addressee == addressee {
      #expect(text.contains("  \(verb.name): "))
      for parameter in verb.parameters {
        #expect(text.contains("      \(parameter.name)"), "\(parameter.name)")
      }
    }
    #expect(text.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 78 })
  }
}

import Testing

@testable import Simulator

struct BootloaderTraitsChoicesTests {
  @Test func `Every choice changes something, and is written as the list shows it`() {
    for (name, meaning) in BootloaderTraits.choices {
      let text = name.replacing("=DURATION", with: "=7s").replacing("=REVISION", with: "=0.2.1")
      var traits = BootloaderTraits()
      let isChosen = traits.choose(text)
      #expect(isChosen && traits != BootloaderTraits() && !meaning.isEmpty, "\(name)")
    }
  }

  @Test(arguments: ["", "three-banks", "two-banks=2", "erase", "erase=", "erase=fast", "revision=new", "=1s"])
  func `What is not in the list, or has no such value, is none`(text: String) {
    var traits = BootloaderTraits()
    let isChosen = traits.choose(text)
    #expect(!isChosen && traits == BootloaderTraits())
  }

  @Test func `Values are taken`() {
    var traits = BootloaderTraits()
    let areChosen = ["revision=0.2.1", "interval=15ms", "no-version"].map { traits.choose($0) }
    #expect(areChosen == [true, true, true])
    #expect(traits.revision?.description == "0.2.1" && traits.link.interval == .milliseconds(15))
    #expect(traits.version == nil)
  }
}

import FleetModel
import Testing

@testable import MetaMotion

@Suite struct FirmwareCatalogueTests {
  @Test func `builds are listed in the order of their numbers`() throws {
    let catalogue = try SampleCatalogue.catalogue()
    let versions = catalogue.builds(for: SampleCatalogue.board).map(\.version.text)
    #expect(versions == ["1.9.0", "1.10.0", "2.0.0-beta"])
  }

  @Test func `the newest is no preview, and neither without file nor without number`() throws {
    let newest = try #require(try SampleCatalogue.catalogue().newest(for: SampleCatalogue.board))
    #expect(newest.version.text == "1.10.0")
    #expect(newest.path == "0.4/5/vanilla/1.10.0/firmware.zip")
    #expect(newest.requiredBootloader == BuildVersion("0.3.3"))
  }

  @Test func `an address keeps the words of the index`() throws {
    let board = FirmwareTarget(hardware: "0.1", model: "8")
    let build = try #require(try SampleCatalogue.catalogue().newest(for: board))
    #expect(build.path == "r0.1/8/vanilla/1.7.3/firmware.zip")
    #expect(build.requiredBootloader == nil)
  }

  @Test func `a build made to order is for its own flavour alone`() throws {
    let catalogue = try SampleCatalogue.catalogue()
    #expect(catalogue.newest(for: SampleCatalogue.board)?.target.flavour == "vanilla")
    let own = FirmwareTarget(hardware: "0.4", model: "5", flavour: "128")
    #expect(catalogue.newest(for: own)?.version.text == "9.0.0")
    #expect(catalogue.newest(for: FirmwareTarget(hardware: "0.4", model: "5", flavour: "7")) == nil)
  }

  @Test func `everything listed can be counted, target by target`() throws {
    let catalogue = try SampleCatalogue.catalogue()
    let targets = catalogue.targets.map { "\($0.hardware) \($0.model) \($0.flavour)" }
    #expect(targets == ["0.1 8 vanilla", "0.4 5 128", "0.4 5 bootloader", "0.4 5 vanilla"])
    #expect(catalogue.all.count == 10)
  }

  @Test(arguments: [
    ("\n <!DOCTYPE html><html>", "it is a web page and no index"),
    ("", "it ends in the middle, after 0 bytes"),
    (#"{"0.4": {"5": {"#, "it ends in the middle, after 15 bytes"),
    ("{}", "it lists no build"),
    ("[]", "it has to be an object and is none"),
    (#"{"0.4": []}"#, "0.4 has to be an object and is none"),
    (
      #"{"0.4": {"5": {"vanilla": {"1.0": "firmware.zip"}}}}"#,
      "0.4/5/vanilla/1.0 has to be an object and is none"
    ),
    (
      #"{"0.4": {"5": {"vanilla": {"1.0": {"filename": 7}}}}}"#,
      "0.4/5/vanilla/1.0/filename has to be text and is none"
    ),
    (
      #"{"0.4": {"5": {"vanilla": {"1.0": {"filename": "a", "required-bootloader": "new"}}}}}"#,
      #"0.4/5/vanilla/1.0/required-bootloader is no version: "new""#
    ),
  ])
  func `F191 what is no index is refused, with the place`(text: String, sentence: String) {
    #expect(throws: FirmwareCatalogue.Unreadable(sentence)) { try SampleCatalogue.catalogue(text) }
  }

  @Test(arguments: [
    #"{"..": {"5": {"vanilla": {"1.0": {"filename": "a"}}}}}"#,
    #"{"0.4": {"5/6": {"vanilla": {"1.0": {"filename": "a"}}}}}"#,
    #"{"0.4": {"5": {"vanilla": {"1.0": {"filename": "../../passwd"}}}}}"#,
    #"{"0.4": {"5": {"": {"1.0": {"filename": "a"}}}}}"#,
  ])
  func `F191 no name in an index leads out of its folder`(text: String) {
    #expect(throws: FirmwareCatalogue.Unreadable.self) { try SampleCatalogue.catalogue(text) }
  }

  @Test func `F191 an index of any size ends the reading early`() {
    let large = [UInt8](repeating: UInt8(ascii: " "), count: FirmwareCatalogue.largestIndex + 1)
    #expect(throws: FirmwareCatalogue.Unreadable.self) { try FirmwareCatalogue(large) }
  }

  // What the vendor's own tests say (protocol reference, section 39).

  @Test func `agrees with every vector`() throws {
    let vectors = try VectorCase.cases(of: "firmware-catalogue")
    #expect(vectors.count == 10)
    for vector in vectors { try play(vector) }
  }

  private func play(_ vector: VectorCase) throws {
    let words = vector.phrases.joined(separator: "; ").split(separator: " ").map(String.init)
    if let result = vector.expect["result"]?.string {
      // "compare version 1.5 with 1.5.1"
      let (left, right) = (try #require(BuildVersion(words[2])), try #require(BuildVersion(words[4])))
      #expect((left < right ? "<" : left == right ? "=" : ">") == result, "\(vector.name)")
      return
    }
    let document = try #require(vector.expect["catalogue"])
    let catalogue = try FirmwareCatalogue(document)
    if let images = vector.expect["images"]?.array {
      let version = try #require(BuildVersion("0.3.3"))
      let board = FirmwareTarget(hardware: "0.2", model: "6")
      let chain = try BootloaderChain.from(version, to: version, for: board, in: catalogue)
      #expect(chain.map { .string($0.version.text) } == images, "\(vector.name)")
      return
    }
    let target = FirmwareTarget(
      hardware: "0.4", model: vector.name == "unknown-model" ? "999" : "5",
      flavour: vector.name == "unknown-flavour" ? "experimental" : "vanilla")
    let versions = catalogue.builds(for: target).map { JSONValue.string($0.version.text) }
    #expect(versions == vector.expect["versions"]?.array, "\(vector.name)")
  }
}

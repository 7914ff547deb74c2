import MetaMotion
import Simulator
import Testing

@testable import metafleet

@Suite struct SampleIndexTests {
  @Test(arguments: [("s", "1.7.3"), ("rl", "1.7.4"), ("r", "1.5.0")])
  func `every simulated model is listed, and the RL is one version behind`(key: String, newest: String) throws
  {
    let model = try #require(BoardModel(key: key))
    let catalogue = try FirmwareCatalogue(Array(SampleIndex.text.utf8))
    let target = FirmwareTarget(hardware: model.hardwareRevision, model: model.modelNumber)
    #expect(catalogue.newest(for: target)?.version.text == newest)
    #expect((newest == model.firmwareRevision) == (key != "rl"))
    #expect(BootloaderChain.problems(in: catalogue) == [])
  }
}

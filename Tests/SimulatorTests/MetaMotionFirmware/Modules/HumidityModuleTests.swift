import Simulator
import Testing

struct HumidityModuleTests {
  @Test(arguments: VectorFile.cases("humidity"))
  func `Vectors are answered in their form`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    for packet in vector.writes {
      #expect(bench.write(packet).count == ([UInt8](hex: packet)[1] == 0x81 ? 1 : 0))
    }
  }

  @Test func `Humidity is a percentage, oversampling reads back`() {
    let model = BoardModel(
      key: "bme280", modelNumber: "5", firmwareRevision: "1.7.3", hardwareRevision: "0.1",
      modules: [0x16: [0, 0]])
    var bench = Bench(model)
    let value = bench.write(bytes: [0x16, 0x81]).packets.first?.uint32() ?? 0
    #expect((20...80).contains(Double(value) / 1024))
    #expect(bench.write("16 02 04", "16 82", "16 02 06", "16 82") == ["16 82 04", "16 82 04"])
  }
}

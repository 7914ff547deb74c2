import BoardKit
import FleetModel

/// Reads how sensors are set, and how well sensor fusion is calibrated (MQTT contract 3.3).
struct SensorInspection {
  let exchange: Exchange
  let inventory: Inventory

  func read(_ request: ReadRequest) async throws(CommandFailure) -> JSONObject {
    if request.what == "fusion-calibration" {
      return try await calibration(withBlocks: request.selectors["blocks"]?.bool ?? false)
    }
    let name = request.selectors["module"]?.string ?? ""
    guard let module = Module(named: name), let settings = module.sensor?.settings(on: inventory) else {
      throw CommandFailure(.unsupported, "this \(inventory.model.rawValue) has no sensor \(name)")
    }
    do throws(ProtocolFailure) {
      var replies: [[UInt8]] = []
      for register in settings.registers { replies.append(try await exchange.ask(register)) }
      var data = settings.keys(in: replies)
      data["hex"] = .string(replies.map { Array($0.dropFirst(2)).hex }.joined())
      return data
    } catch {
      throw CommandFailure(error)
    }
  }

  private func calibration(withBlocks: Bool) async throws(CommandFailure) -> JSONObject {
    let revision =
      withBlocks ? SensorFusion.firstRevisionWithData : SensorFusion.firstRevisionWithState
    guard inventory.has(.sensorFusion, from: revision) else {
      throw CommandFailure(
        .unsupported, "the firmware of this board does not report the calibration of sensor fusion")
    }
    do throws(ProtocolFailure) {
      let reply = try await exchange.ask(SensorFusion.calibrationState)
      guard let state = FusionCalibration(reply) else {
        throw ProtocolFailure.unreadable(reply, as: "a state of calibration")
      }
      var data: JSONObject = [
        "acceleration": .integer(Int64(state.acceleration)), "gyroscope": .integer(Int64(state.gyroscope)),
        "magnetometer": .integer(Int64(state.magnetometer)),
      ]
      guard withBlocks else { return data }
      for sensor in FusionCalibration.Block.Sensor.allCases {
        let reply = try await exchange.ask(sensor.register)
        guard let block = FusionCalibration.Block(sensor, reply: reply) else {
          throw ProtocolFailure.unreadable(reply, as: "calibration data")
        }
        data[sensor.key] = .string(block.bytes.hex)
      }
      return data
    } catch {
      throw CommandFailure(error)
    }
  }
}

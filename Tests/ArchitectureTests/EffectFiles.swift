/// The files that may wait, own an isolation domain, look at a clock or reach the world; all others decide purely.
///
/// A module holds a file name only once, so the name is enough. Whoever adds one here says in review why the deciding
/// part could not stay outside.
enum EffectFiles {
  static let byTarget: [String: Set<String>] = [
    "FleetModel": names(
      """
      Counters Timekeeper
      """),
    "BoardKit": names(
      """
      BoardDriver BoardLink Conversation Radio
      """),
    "Dialects": names(
      """
      Broker
      """),
    "EventLoops": names(
      """
      Epoll EventLoop LoopThread PacketSockets SystemCallFailure Wakeup Watch
      """),
    "MetaMotion": names(
      """
      Exchange Identification Interviewer LEDControl Leaving MetaMotionDriver ReadCommand StreamControl
      StreamReader
      """),
    "DBus": names(
      """
      DBusAddress DBusConnection DBusConnection+names DBusDescriptor DBusMessage DBusObjectServer
      DBusSyntax IncomingMessage MessageReader MessageWriter RawConnection SocketWatches
      """),
    "Mosquitto": names(
      """
      BrokerFailure+codes ClientCallbacks ClientPump MosquittoBroker MosquittoClient PropertyList
      """),
    "Storage": names(
      """
      Admissions Births BoardMemory CommandLedger DirectoryLock Outbox OutboxArchive OutboxLimits
      OutboxTable OutboxTotals RetainedTopics Row+values SQLiteFile Schema Store StoreFailure
      """),
    "BlueZ": names(
      """
      Bell BlueZLink BlueZRadio BlueZRadio+adapters BlueZRadio+connecting BlueZRadio+running BlueZService
      NotificationSource RadioOutbox
      """),
    "Fleet": names(
      """
      Airtime Alarm BoardSession BoardSession+commands BoardSession+streams BoardSupervisor
      BoardSupervisor+commands BoardSupervisor+documents BoardSupervisor+reports CommandDesk Gateway
      Gateway+radio Gateway+reports Gateway+verbs GatewayEnvironment SessionEnvironment SessionWork
      SupervisorEnvironment Uplink Uplink+connection Uplink+outbox
      """),
    "Simulator": names(
      """
      Air Climate FakeBlueZ Motion PacketSocket SimulatedFleet SimulatedLink SimulatedRadio
      SimulatedRadio+Links
      """),
    "metafleet": names(
      """
      Boards BrokerOptions ChildProcess ClientSession ConfigurationFile ConfigurationOptions
      Console Demo DemoDisplay DemoGateway DisplayName First HostMeasurements LineLog LiveOutput
      LiveScreen Main MosquittoDaemon PrivateBusDaemon ProgramPath Run Scan ScanListening
      ScratchDirectory SecretFile Send SendRequest Signals Simulate SimulationPlan
      SpawnedShell StateDirectory SystemTimekeeper SystemdNotifier Temporary Watch Wiring
      """),
  ]

  private static func names(_ list: String) -> Set<String> {
    Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}

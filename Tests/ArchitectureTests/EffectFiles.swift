/// The files that may wait, own an isolation domain, look at a clock or reach the world; all others decide purely.
///
/// A module holds a file name only once, so the name is enough. Whoever adds one here says in review why the deciding
/// part could not stay outside.
enum EffectFiles {
  static let byTarget: [String: Set<String>] = [
    // Numbers that several executors count, lists that they share, and the seam behind which time passes.
    "FleetModel": names(
      """
      Counters Distributions ResponseRights SampleEncodings SharedOffers Timekeeper
      """),
    // The two seams.
    "BoardKit": names(
      """
      BoardDriver BoardLink Bootloader Conversation LogSource Radio
      """),
    "Dialects": names(
      """
      Broker
      """),
    "EventLoops": names(
      """
      Epoll EventLoop Guarded LoopThread PacketReader PacketSockets Sleeper SpawnAttributes SpawnedShell SystemCallFailure SystemError Wakeup
      """),
    // Conversations with a board, straight on; bytes and plans are pure.
    "MetaMotion": names(
      """
      BootloaderControl BusControl Exchange FactoryReset ForeignRemoval Identification Interviewer LEDControl DisconnectingCommands LogControl MacroControl
      MetaMotionDriver PinControl ProgramControl ProgramControl+macros ProgramControl+reconciling ProgramVerbs
      RawControl ReadCommand ResourceInspection ResourceReader ResourceWriter SensorControl SensorInspection SettingsControl SettingsInspection
      RegisterReader SettingsPersistence Sleeping SettingsCheck StreamControl StreamControl+polled StreamReader
      SwitchCheck
      """),
    "DBus": names(
      """
      DBusAddress DBusConnection DBusConnection+names DBusDescriptor DBusInvocation DBusMessage
      DBusObjectServer DBusSyntax IncomingMessage MessageReader MessageWriter PendingCall RawConnection
      SocketWatches
      """),
    "Mosquitto": names(
      """
      BrokerFailure+codes BrokerSession ClientCallbacks ClientPump ConnectAttempt HandshakeProbe MosquittoBroker
      MosquittoClient PropertyList TLSFiles
      """),
    "Curl": names("MultiHandle Transfer TransferFailure+codes Transfers"),
    "Web": names(
      """
      BodyOutlet EventStreams FlowingFile HTTPDaemon HTTPRequest+connection HTTPServer ListenSocket LoopProgress StoredResponse WebAnswer
      """),
    // SQLite.
    "Storage": names(
      """
      Admissions Alarms ArchiveReader AuditTable AuditTrail Births BoardStore ClockAnchors CommandLedger DirectoryLock DiskSpace EventHistory FirmwareJobs HistoryTable KeptStreams KeptTable LogArchive LogDeletion LogGaps LogPauses LogPublishing
      LogReadOutTable LogRetention LogTable OpenStreamTable OutboxArchive OutboxLimits OutboxLossTable OutboxStore OutboxTable OutboxTotals PathFailure+errno RetainedTopics Row+values PrivateFiles
      PlotTable RetentionMark Rollouts SQLiteFile Schema Store StoredPlot StoredStream StoreFailure UnsetClock
      """),
    "BlueZ": names(
      """
      AdapterContext AdapterReset RecoveryHelperClient LoopWaker BlueZLink BlueZRadio BlueZRadio+adapters BlueZRadio+running
      BlueZService BlueZService+adapters DeviceConnector NotificationSource RadioClock RadioOutbox
      """),
    "Fleet": names(
      """
      ConnectionScheduler StartGate TaskWaker TaskGroup+failure BoardLog BoardSession ForeignLoggers LogCommands LogDownloader LogReconciler LogLosses LogReader LogSessions
      ProgramSetup SessionCommands SessionContext SettingsSetup StreamPolls StreamSetup
      AvailabilityNotice BoardCommandExecution BoardCommandExecution+reboots BoardConnectAttempt BoardSupervisor BoardSupervisor+commands
      CommandQueue LinkWaiter+wait DueWorkLoop MaintenanceOrder ConnectionLoop GivingWay KnownAnswer QueuedCommand SessionReport+arriving SetupPart
      BatchRecord BatchRun CommandDispatcher CommandDispatcher+cancel CommandDispatcher+execution CommandDispatcher+groups CommandDispatcher+refusals CommandRecovery GroupCommand
      CommandAddressee CommandRecords CommandProgress CommandRoutes CommandedBoard
      Gateway Gateway+boards Gateway+storage GatewayCommand GatewayCommand+forget GatewayCommand+maintenance GatewayCommand+sessions KeptStreamsCleaning BoardRemoval AdapterRemoval ConfigurationReload ConnectionRenewal MemoryKeeping StartNotice GatewayEnvironment GatewayServices GatewayStop TimeLimit
      AlarmReports GatewayCommand+alarms GatewayReports BusyAdapter MaintenanceLoop PreemptionLoop RecoveryLoop RadioMonitor UplinkChange+arriving SessionTicker LogPublisher SessionEnvironment
      BootloaderSession FirmwareCommand UpdateEffects UpdatePreparation UpdateVisit
      GatewayCommand+rollouts MemberCommand RolloutRunner RolloutRunner+steps RolloutFleet RolloutPlanning RolloutRoutes
      BoardDrain SupervisorEnvironment FirmwareChecks FirmwareNotice FirmwareSource FleetObservation BrokerLink BrokerSubscriptions OwnerInquiries Outbox OutboxCommits RefusedMessages RetainedRepair Replay Uplink
      """),
    // Air, Attitude, Climate, Motion and Occurrence only because logarithms and sines are Glibc's.
    "Simulator": names(
      """
      Agenda Air Attitude Climate Clockwork FakeAttributes FakeBlueZ LabConnection LabListener LabSocket Motion PacketSocket
      Occurrence SimulatedConnectAttempt SimulatedFleet
      SimulatedLink SimulatedRadio SimulatedRadio+Links
      """),
    "metafleet": names(
      """
      Admit ArchiveChild ArchiveClient ArchiveOptions ArchiveService ArchiveSocket BluetoothdRestart BluetoothInspection BoardCommand Boards BrokerAccess BrokerInspection BrokerOptions CertificateFiles CredentialFiles ChildProcess ClientFile ClientSession
      ComputerInspection ConfigurationFile ConfigurationInspection
      ConfigurationOptions Console Demo DemoDisplay DemoGateway DiagnosticBundle DisplayName Doctor EventLoop+named Events Explain
      FileContent FirmwareCommand+check FirmwareCommand+choice FirmwareCommand+list FirmwareCommand+mirror FirmwareFiles FirmwareIndexFetcher FirmwareIndexFetcher+installation FirmwareMirror First FleetCompletion Forget FullScreen GatewayOptions GoneGatewayRemoval HostMeasurements HostTimeZones LedgerFile LineLog LiveDisplayLoop LiveOutput LogSettings LogWriter
      Main MosquittoDaemon Neighbours PasswordFile PrivateBusDaemon ProgramPath RecentProblems Reconnection Record RecordingLoop RecoveryHelperCommand RecoveryService ResultFile RetainedAuditRun RetainedCommand RetainedRemoval RolloutCommand Run RunMarker Scan ScanListening ScratchDirectory
      SecretFile Send SendRequest SessionRemoval SessionsCommand Signals Simulate SimulationPlan SimulatorConsole StandardInput
      StateDirectory SystemdNotifier SystemTimekeeper Temporary TerminalSize Top Trial Try TrySession USBReset Verbs Watch WebArchive WebFace WholeFile Wiring StopLimit Watchdog Setup
      """),
  ]

  private static func names(_ list: String) -> Set<String> {
    Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}

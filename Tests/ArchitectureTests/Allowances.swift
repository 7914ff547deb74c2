/// Where counted constructs may stand, how often, and why. A larger number needs a better reason.
enum Allowances {
  typealias Allowance = CountRule.Allowance

  static let all: [Allowance] = [
    Allowance(
      .unsafe, "BoardKit/RequestTable.swift", 2,
      because: "compares and keeps bytes of a span; spans check the bounds"),
    Allowance(.unsafe, "EventLoops/Epoll.swift", because: "the kernel fills a buffer of events"),
    Allowance(
      .unsafe, "EventLoops/EventLoop.swift", 2, because: "a buffer of events for the kernel, on the stack"),
    Allowance(
      .precondition, "EventLoops/EventLoop.swift",
      because: "calling a loop's actor from elsewhere is a programmer's error, found at once"),
    Allowance(
      .isolationWaiver, "EventLoops/EventLoop.swift",
      because: "what reads packets is for the loop's thread alone"),
    Allowance(
      .unsafe, "EventLoops/PacketReader.swift", 3, because: "recvmmsg fills buffers"),
    Allowance(
      .unsafe, "EventLoops/LoopThread.swift", 4, because: "pthreads hand a pointer to the new thread"),
    Allowance(
      .unsafe, "MetaMotion/Logging/LogEntry.swift", 2,
      because: "the hot path reads entries in place; spans check the bounds"),
    Allowance(
      .unsafe, "MetaMotion/Logging/LogPageBuffer.swift",
      because: "keeps the bytes of a span; spans check the bounds"),
    Allowance(
      .unsafe, "MetaMotion/Modules/Module.swift",
      because: "the first byte of a packet, of which there are two; spans check the bounds"),
    Allowance(
      .unsafe, "MetaMotion/Streams/PacketDecoder.swift",
      because: "the hot path reads numbers in place; spans check the bounds"),
    Allowance(
      .unsafe, "MetaMotion/Streams/ChainOutput.swift",
      because: "bytes of a span, whose samples may be of any shape; spans check the bounds"),
    Allowance(
      .unsafe, "MetaMotion/Streams/TimerOutputs.swift", because: "a byte of a span; spans check the bounds"),
    Allowance(
      .unsafe, "MetaMotion/Firmware/Bootloader/BootloaderControl.swift",
      because: "keeps bytes of a span; spans check the bounds"),
    Allowance(
      .unsafe, "FleetModel/Readings/Reading.swift",
      because: "the hot path reads numbers in place; spans check the bounds"),
    Allowance(
      .unsafe, "FleetModel/Values/JSON/JSONWriter.swift", 2,
      because: "room for a number, handed to NumberTail; a text's bytes, looked at in place"),
    Allowance(
      .unsafe, "Dialects/Plain/StampPrefix.swift", because: "room for a number, handed to NumberTail"),
    Allowance(
      .unsafe, "FleetModel/Boards/BluetoothAddress.swift",
      because: "a text of known length is filled in place"),
    Allowance(
      .unsafe, "FleetModel/Values/JSON/NumberTail.swift", 3,
      because: "digits of samples, four times dearer when every byte is checked"),
    Allowance(.unsafe, "DBus/DBusMessage.swift", 6, because: "libdbus: its pointers end in this target"),
    Allowance(.unsafe, "DBus/DBusSyntax.swift", because: "libdbus: its pointers end in this target"),
    Allowance(.unsafe, "DBus/IncomingMessage.swift", 2, because: "libdbus: its pointers end in this target"),
    Allowance(.unsafe, "DBus/MessageReader.swift", 4, because: "libdbus: its pointers end in this target"),
    Allowance(.unsafe, "DBus/MessageWriter.swift", 4, because: "libdbus: its pointers end in this target"),
    Allowance(.unsafe, "DBus/RawConnection.swift", 17, because: "libdbus: its pointers end in this target"),
    Allowance(.unsafe, "DBus/SocketWatches.swift", 4, because: "libdbus: its pointers end in this target"),
    Allowance(
      .unsafe, "Mosquitto/ClientCallbacks.swift", 23, because: "libmosquitto: its pointers end in this target"
    ),
    Allowance(
      .unsafe, "Mosquitto/HandshakeProbe.swift", 8, because: "libssl: its pointers end in this target"),
    Allowance(.unsafe, "Curl/MultiHandle.swift", 6, because: "libcurl: its pointers end in this target"),
    Allowance(.unsafe, "Curl/Transfer.swift", 6, because: "libcurl: its pointers end in this target"),
    Allowance(.unsafe, "Curl/Transfers.swift", because: "libcurl: its pointers end in this target"),
    Allowance(
      .unsafe, "Web/Server/BodyOutlet.swift", 9, because: "libmicrohttpd: its pointers end in this target"),
    Allowance(
      .unsafe, "Web/Server/FlowingFile.swift", because: "the room that libmicrohttpd has for the next bytes"),
    Allowance(
      .unsafe, "Web/Server/HTTPDaemon.swift", 17, because: "libmicrohttpd: its pointers end in this target"),
    Allowance(
      .unsafe, "Web/Server/HTTPRequest+connection.swift", 6,
      because: "libmicrohttpd: its pointers end in this target"),
    Allowance(
      .unsafe, "Web/Server/OpenRequests.swift", 2, because: "libmicrohttpd: its pointers end in this target"),
    Allowance(
      .unsafe, "Web/Server/StoredResponse.swift", 3, because: "libmicrohttpd: its pointers end in this target"
    ),
    Allowance(
      .unsafe, "Web/Server/ListenSocket.swift", 5,
      because: "bind and its like take a socket address by pointer"),
    Allowance(
      .isolationWaiver, "Mosquitto/MosquittoBroker.swift",
      because: "a dialled client is handed from one thread to the next, which alone has it from then on"),
    Allowance(
      .unsafe, "Mosquitto/MosquittoClient.swift", because: "libmosquitto: its pointers end in this target"),
    Allowance(
      .unsafe, "Mosquitto/PropertyList.swift", 13, because: "libmosquitto: its pointers end in this target"),
    Allowance(
      .isolationWaiver, "BlueZ/BlueZLink.swift",
      because: "a packet costs less than to enter an actor; debug builds check the loop"),
    Allowance(
      .isolationWaiver, "Fleet/Sessions/BoardSession.swift",
      because: "a packet costs less than to enter an actor; debug builds check the executor"),
    Allowance(
      .isolationWaiver, "Fleet/Firmware/BootloaderSession.swift",
      because: "packets are spans, which cannot enter an actor; debug builds check the executor"),
    Allowance(
      .isolationWaiver, "Fleet/Sessions/SessionTicker.swift",
      because: "what the sessions share lives on their executor, as this actor does"),
    Allowance(.unsafe, "Simulator/Lab/LabConnection.swift", because: "send takes a pointer"),
    Allowance(
      .unsafe, "Simulator/Lab/LabListener.swift", 2, because: "bind takes a socket address by pointer"),
    Allowance(.unsafe, "Simulator/FakeBlueZ/PacketSocket.swift", because: "send takes a pointer"),
    Allowance(
      .unsafe, "EventLoops/SpawnAttributes.swift", because: "posix_spawn takes its attributes by pointer"),
    Allowance(
      .unsafe, "metafleet/Archive/ArchiveSocket.swift", 3,
      because: "connect takes a socket address by pointer, a message with descriptors its bytes"),
    Allowance(
      .unsafe, "metafleet/Processes/MosquittoDaemon.swift", because: "bind takes a socket address by pointer"),
    Allowance(
      .unsafe, "metafleet/SystemdNotifier.swift", 2, because: "sendto takes a socket address by pointer"),
    Allowance(
      .processWide, "metafleet/Commands/Run.swift", because: "before any other thread makes a file"),
    Allowance(.unsafe, "metafleet/Terminal/Console.swift", because: "write takes a pointer"),
  ]
}

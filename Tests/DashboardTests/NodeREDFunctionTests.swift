import Foundation
import Testing

/// Runs what the function nodes say, in Node.js; without it these tests are skipped and say so.
@Suite(.enabled(if: JavaScript.isThere, "node is not installed, so function nodes are not run"))
struct NodeREDFunctionTests {
  static let bodies: [String] =
    ((try? JSON(ShippedFiles.text("node-red/flows.json")).list) ?? [])
    .flatMap { node in ["func", "initialize", "finalize"].compactMap { node[$0].text } }

  @Test(arguments: bodies)
  func `function bodies are JavaScript`(body: String) throws {
    let (status, output) = try JavaScript.run("(async function (msg) {\n\(body)\n})", isCheckOnly: true)
    #expect(status == 0, "\(output)")
  }

  @Test func `what is no JavaScript is found`() throws {
    #expect(try JavaScript.run("(async function (msg) {\nreturn {;\n})", isCheckOnly: true).status != 0)
  }

  /// Plays Node-RED's part for one function node: its context, its clock, its wires.
  private func play(_ steps: String) throws -> String {
    let nodes = try JSON(ShippedFiles.text("node-red/flows.json")).list
    let command = try #require(nodes.first { $0["type"].text == "function" && $0["outputs"].number == 2 })
    let parts = ["func", "initialize", "finalize"].map { command[$0].text ?? "" }
    return try JavaScript.run(
      """
      const store = new Map(), timers = new Map(), sent = [], errors = [];
      const context = { get: k => store.get(k), set: (k, v) => store.set(k, v) };
      const node = { status() {}, error: e => errors.push(e), send: m => sent.push(m) };
      const setTimeout = (f, ms) => { timers.set(timers.size + 1, { f, ms }); return timers.size; };
      const clearTimeout = id => timers.delete(id);
      const receive = msg => (function (msg) {\n\(parts[0])\n})(msg);
      const close = () => {\n\(parts[2])\n};
      (() => {\n\(parts[1])\n})();
      const led = { board: "c0ffee000002", verb: "led", args: { color: "blue" }, mine: 1 };
      const reply = (id, stage, more) => receive({ topic: "metafleet/board/c0ffee000002/reply/led",
        payload: { id, stage, verb: "led", ...more } });
      \(steps)
      """
    ).output.trimmingCharacters(in: .newlines)
  }

  @Test func `a command is published with an id and resolved by its final reply`() throws {
    let said = try play(
      """
      const [request, none] = receive(led);
      const id = request.payload.id;
      console.log(request.topic, none, /^[A-Za-z0-9._-]{1,64}$/.test(id), JSON.stringify(request.payload.args),
        request.payload.expires_ms > Date.now(), request.qos, request.retain, timers.size);
      console.log(reply("another", "done"), reply(id, "accepted"), reply(id, "sent"));
      const [nothing, answer] = reply(id, "done", { ok: true, evidence: "readback" });
      console.log(nothing, answer.mine, answer.payload.evidence, timers.size, reply(id, "done"), sent.length);
      """)
    #expect(
      said == """
        metafleet/board/c0ffee000002/cmd/led null true {"color":"blue"} true 1 false 1
        null null null
        null 1 readback 0 null 0
        """)
  }

  @Test func `two commands under way have different ids and do not mix`() throws {
    let said = try play(
      """
      const first = receive({ ...led, mine: 1 })[0].payload.id, second = receive({ ...led, mine: 2 })[0].payload.id;
      console.log(first !== second, reply(second, "failed", { ok: false, code: "busy" })[1].mine,
        reply(first, "done")[1].mine);
      """)
    #expect(said == "true 2 1")
  }

  @Test func `without a reply a command ends as unknown, after its expiry`() throws {
    let said = try play(
      """
      const id = receive({ ...led, expires_s: 5 })[0].payload.id;
      const [timer] = timers.values();
      timer.f();
      const [none, answer] = sent[0];
      console.log(timer.ms, none, answer.payload.stage, answer.payload.ok, answer.payload.id === id, reply(id, "done"));
      """)
    #expect(said == "15000 null unknown false true null")
  }

  @Test func `a command without a board is an error, and closing leaves no timer`() throws {
    let said = try play(
      """
      console.log(receive({ verb: "led" }), receive({ board: "c0:ff", verb: "led" }), errors.length);
      receive(led); receive(led); close();
      console.log(timers.size);
      """)
    #expect(said == "null null 2\n0")
  }
}

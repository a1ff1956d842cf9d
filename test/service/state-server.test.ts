import { expect } from "chai";
import { Agent } from "undici";

import { HttpClient } from "../../src/entries/service.js";
import { nodeJson, stateProofsSchema } from "../../src/service/state-server.js";
import { fakeClock } from "../support/fake-clock.js";
import { hdpFailure } from "../support/failure.js";
import { httpServer, type OddServer, sendJson } from "../support/odd-servers.js";
import { FullStateServerClient } from "../support/state-server-client.js";

describe("state server", () => {
  const dispatcher = new Agent();
  let server: OddServer;

  afterEach(async () => {
    await server.close();
  });
  after(async () => {
    await dispatcher.close();
  });

  async function client(...replies: readonly unknown[]): Promise<FullStateServerClient> {
    server = await httpServer((_request, response, index) => {
      sendJson(response, 200, replies[index]);
    });
    const options = {
      service: "the state server",
      url: server.url,
      dispatcher,
      clock: fakeClock(),
      random: () => 0,
    };
    return new FullStateServerClient(new HttpClient(options));
  }

  it("sends hex, and reads felts as hex or decimal text, or null", async () => {
    const state = await client(
      { trie_root: "0x1F" },
      { trie_id: 1, trie_root: "32", key: "0x2", value: "0x3" },
      { key: "0x2", value: "7" },
      { key: "0x2", value: null },
    );
    expect(await state.create(5n, [[1n, 10n]])).to.equal(31n);
    expect(await state.write(5n, 31n, 2n, 3n)).to.equal(32n);
    expect(await state.read(5n, 32n, 2n)).to.equal(7n);
    expect(await state.read(5n, 32n, 2n)).to.equal(undefined);
    expect(server.seen.map(({ method, url, body }) => [method, url, body])).to.deep.equal([
      ["POST", "/create_trie", '{"trie_label":"0x5","keys":["0x1"],"values":["0xa"]}'],
      ["POST", "/write", '{"trie_label":"0x5","trie_root":"0x1f","key":"0x2","value":"0x3"}'],
      ["GET", "/read?trie_label=0x5&trie_root=0x20&key=0x2", ""],
      ["GET", "/read?trie_label=0x5&trie_root=0x20&key=0x2", ""],
    ]);
  });

  it("refuses other values as a felt", async () => {
    const prime = 2n ** 251n + 17n * 2n ** 192n + 1n;
    const wrong = [
      "",
      "0x",
      "0xg",
      "x0x1",
      "0x1g",
      "x1",
      "1x",
      "-1",
      "1.5",
      prime.toString(),
      `0x${prime.toString(16)}`,
    ];
    const right = [(prime - 1n).toString(), `0x${(prime - 1n).toString(16)}`];
    const state = await client(
      ...[...wrong, 1, null, ...right].map((trie_root) => ({ trie_root })),
    );
    for (const felt of [...wrong, 1, null]) {
      expect((await hdpFailure(state.create(5n, []))).code, String(felt)).to.equal("HDP-2070");
    }
    for (const felt of right) expect(await state.create(5n, []), felt).to.equal(prime - 1n);
  });

  it("returns a proof's nodes, and an error where there are none", async () => {
    const leaf = { key: "0x2", data: { value: "0x3" } };
    const nodes = [
      { Binary: { left: "0x1", right: "0x2" } },
      { Edge: { child: "0x3", path: [128, 127], bit_len: 9 } },
    ];
    const Write = {
      trie_root_prev: "0x1",
      state_proof_prev: [],
      leaf_prev: leaf,
      trie_root_post: "0x1",
      state_proof_post: [],
      leaf_post: leaf,
    };
    const state = await client(
      { state_proofs: [{ Read: { trie_root: "0x1", state_proof: nodes, leaf } }] },
      { state_proofs: [] },
      { state_proofs: [{ Write }] },
    );
    expect(await state.prove(5n, 1n, 2n)).to.deep.equal([
      { kind: "binary", left: 1n, right: 2n },
      // Of the last byte only the first bit counts.
      { kind: "edge", child: 3n, path: 0b1_0000_0000n, length: 9 },
    ]);
    for (let reply = 0; reply < 2; reply += 1) {
      const error = await hdpFailure(state.prove(5n, 1n, 2n));
      expect([error.code, error.path, error.shortMessage]).to.deep.equal([
        "HDP-2028",
        "hdp.local.stateServer",
        "the state server sent no proof of the key 0x2 under the root 0x1.",
      ]);
    }
  });

  it("writes the children of a node as it reads them", () => {
    expect(nodeJson({ kind: "binary", left: 31n, right: 0n })).to.deep.equal({
      Binary: { left: "0x1f", right: "0x0" },
    });
  });

  it("writes edges in whole bytes, as it reads them", () => {
    for (const [path, length] of [
      [0n, 1],
      [1n, 1],
      [0b1_0000_0001n, 9],
      [255n, 8],
      [2n ** 251n - 1n, 251],
      [1n, 251],
    ] as const) {
      const node = { kind: "edge", child: 7n, path, length } as const;
      const json = nodeJson(node) as { readonly Edge: { readonly path: readonly number[] } };
      expect(json.Edge.path).to.have.length(Math.ceil(length / 8));
      const leaf = { key: "0x2", data: { value: "0x3" } };
      const read = stateProofsSchema.parse({
        state_proofs: [{ Read: { trie_root: "0x1", state_proof: [json], leaf } }],
      });
      expect(read.state_proofs[0])
        .to.have.nested.property("Read.state_proof[0]")
        .that.deep.equals(node);
    }
  });
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import fc from "fast-check";

import { moduleRunner, runModule } from "../../src/entries/local.js";
import { awaitSubmission } from "../../src/entries/service.js";
import {
  outputDigest,
  StateNodeMap,
  computeStateRoot,
  type TaskRequest,
  verifyStateRead,
  verifyStateUpdate,
} from "../../src/entries/request.js";
import { proveStateRead, writeState } from "../../src/request/state-trie.js";
import { stateProofsSchema } from "../../src/service/state-server.js";
import { failure, hdpFailure } from "../support/failure.js";
import { FullStateServerClient } from "../support/state-server-client.js";
import {
  clients,
  testChain,
  type TestChain,
  post,
  raw,
  testServer,
  type TestServer,
} from "./fixture.js";
import { SMALL_CLASS_HASH } from "./small-class.js";

const VOTES = 0x766f746573n;
const YES = 0x796573n;
const votesClass = new URL(
  "../program/templates/m_injected_state_Module.compiled_contract_class.json",
  import.meta.url,
);

describe("state server", () => {
  let chain: TestChain;
  let server: TestServer;
  let client: FullStateServerClient;
  let json: unknown;

  before(async () => {
    chain = await testChain();
    json = JSON.parse(await readFile(votesClass, "utf8"));
    const runModule = moduleRunner({
      programFor: () => Promise.resolve({ compiledClassJson: json, leadingFelts: 8 }),
      stateServer: () => Promise.resolve(server.tries),
    });
    server = await testServer(chain, { runModule });
    client = new FullStateServerClient(clients(server.url).http);
  });
  after(async () => {
    await server.close();
  });

  const rootOf = (leaves: readonly (readonly [bigint, bigint])[]): bigint =>
    computeStateRoot(new StateNodeMap(), leaves);

  it("makes, reads and writes tries at all of their roots", async () => {
    const leaves: readonly (readonly [bigint, bigint])[] = [
      [1n, 0x42n],
      [2n, 0x84n],
      [2n ** 250n, 3n],
    ];
    const root = await client.create(0x123n, leaves);
    expect(root).to.equal(rootOf(leaves));
    expect(await client.read(0x123n, root, 2n)).to.equal(0x84n);
    expect(await client.read(0x123n, root, 9n)).to.equal(undefined);
    expect(await client.read(0x123n, 0n, 2n)).to.equal(undefined);
    const written = await client.write(0x123n, root, 9n, 7n);
    expect(written).to.equal(rootOf([...leaves, [9n, 7n]]));
    expect(await client.read(0x123n, written, 9n)).to.equal(7n);
    expect(await client.read(0x123n, root, 9n), "the old root").to.equal(undefined);
    expect(await failure(client.read(0x124n, root, 1n)))
      .to.contain("404")
      .and.to.contain("knows no trie");
    const index = await raw(
      `${server.url}/get_trie_root_node_idx?trie_label=0x123&trie_root=0x${written.toString(16)}`,
    );
    expect(index.json()).to.deep.equal({
      trie_root_node_idx: 2,
      trie_root: `0x${written.toString(16)}`,
    });
  });

  it("answers the trie, the root and the proof of the published example", async () => {
    const label = "0x6d795f74726965";
    const key = "0x6d795f6b6579";
    const root = "0xf153c6cd2bc40a4ec675068562f4ddefadc23030";
    const made = await post(`${server.url}/create_trie`, {
      trie_label: label,
      keys: [key],
      values: ["42"],
    });
    expect(made.json()).to.deep.equal({ trie_root: root });
    const read = await raw(`${server.url}/read?trie_label=${label}&trie_root=${root}&key=${key}`);
    expect(read.json()).to.deep.equal({ key, value: "0x2a" });
    const actions = [
      { Read: { trie_label: label, trie_root: root, key } },
      { Write: { trie_label: label, trie_root: "0x0", key, value: "0x2a" } },
    ];
    const reply = await post(`${server.url}/get_state_proofs`, { actions });
    const [readProof, writeProof] = stateProofsSchema.parse(reply.json()).state_proofs;
    const node = { kind: "edge", child: 42n, path: BigInt(key), length: 251 };
    expect(readProof).to.have.nested.property("Read.state_proof").that.deep.equals([node]);
    expect(writeProof).to.have.nested.property("Write.state_proof_post").that.deep.equals([node]);
    expect(writeProof).to.have.nested.property("Write.trie_root_post", BigInt(root));
  });

  it("reads the published form of an edge, whose last byte has bits that do not count", () => {
    const path = [...new Array<number>(25).fill(0), 13, 175, 43, 237, 108, 175, 57];
    const published = { Edge: { child: "0x2a", path, bit_len: 251 } };
    const leaf = { key: "0x1", data: { value: "0x2a" } };
    const proofs = {
      state_proofs: [{ Read: { trie_id: 1, trie_root: "0x1", state_proof: [published], leaf } }],
    };
    expect(stateProofsSchema.parse(proofs).state_proofs[0]).to.have.nested.property(
      "Read.state_proof[0].path",
      0x6d795f6b6579n,
    );
  });

  it("refuses a published edge with a path of more than 32 bytes", () => {
    const edge = (bytes: number): unknown => ({
      Edge: { child: "0x2a", path: new Array<number>(bytes).fill(0), bit_len: 251 },
    });
    const proofs = (node: unknown): unknown => ({
      state_proofs: [
        {
          Read: {
            trie_root: "0x1",
            state_proof: [node],
            leaf: { key: "0x1", data: { value: "0x2a" } },
          },
        },
      ],
    });
    expect(stateProofsSchema.safeParse(proofs(edge(32))).success).to.equal(true);
    expect(stateProofsSchema.safeParse(proofs(edge(33))).success).to.equal(false);
  });

  it("refuses unequal lists and keys out of range", async () => {
    const unequal = await post(`${server.url}/create_trie`, {
      trie_label: "0x1",
      keys: ["0x1"],
      values: [],
    });
    expect([unequal.status, (unequal.json() as { code: string }).code]).to.deep.equal([
      400,
      "HDP-4518",
    ]);
    const large = {
      trie_label: "0x1",
      trie_root: "0x0",
      key: `0x${(2n ** 251n).toString(16)}`,
      value: "0x1",
    };
    expect(((await post(`${server.url}/write`, large)).json() as { code: string }).code).to.equal(
      "HDP-4427",
    );
  });

  it("lets a run start from a root that only the server knows, and keeps where it ends", async () => {
    const start: readonly (readonly [bigint, bigint])[] = Array.from({ length: 40 }, (_, index) => [
      (BigInt(index + 1) * 7n ** 60n) % 2n ** 251n,
      BigInt(index + 1),
    ]);
    const root = await client.create(VOTES, [...start, [YES, 40n]]);
    const run = await runModule(json, {
      inputs: [1n, 5n, 0x11n, YES].map((value) => ({ visibility: "public", value })),
      leadingFelts: 8,
      read: () => 1n,
      injectedState: { roots: new Map([[VOTES, root]]), server: client },
    });
    const after = rootOf([...start, [0x11n, YES], [YES, 41n]]);
    expect(run.retdata).to.deep.equal([outputDigest([after, 41n])]);
    const [outcome] = run.injectedState;
    expect(outcome).to.include({ label: VOTES, rootBefore: root, rootAfter: after });
    expect(outcome?.writes.map(({ key, value }) => [key, value])).to.deep.equal([
      [0x11n, YES],
      [YES, 41n],
    ]);
    expect(outcome?.writes.every(verifyStateUpdate)).to.equal(true);
    expect(outcome?.reads.map(({ key, value }) => [key, value])).to.deep.equal([
      [0x11n, 0n],
      [YES, 40n],
    ]);
    expect(outcome?.reads.every(verifyStateRead)).to.equal(true);
    expect(await client.read(VOTES, after, YES), "what was written is kept").to.equal(41n);
  });

  it("gives with a key's proof all that setting the key needs, also where that splits an edge", () => {
    const key = fc.oneof(fc.bigInt(0n, 2n ** 251n - 1n), fc.bigInt(0n, 15n));
    const leaf = fc.tuple(key, fc.bigInt(1n, 2n ** 200n));
    fc.assert(
      fc.property(fc.array(leaf, { maxLength: 8 }), leaf, (leaves, [wanted, value]) => {
        const all = new StateNodeMap();
        const root = computeStateRoot(all, leaves);
        const proof = new StateNodeMap(proveStateRead(all, root, wanted).nodes);
        expect(writeState(proof, root, wanted, value)).to.equal(
          rootOf([...leaves, [wanted, value]]),
        );
      }),
    );
  });

  it("runs tasks that name a root, and starts the next where the last one ended", async () => {
    const { modules, tasks } = clients(server.url);
    const request = (voter: `0x${string}`, root: `0x${string}`): TaskRequest => ({
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [
        {
          type: "Module",
          programHash: SMALL_CLASS_HASH,
          inputs: (["0xaa36a7", "0x0", voter, "0x796573"] as const).map((value) => ({
            visibility: "public",
            value,
          })),
          injectedState: { "0x766f746573": root },
        },
      ],
    });
    const [first = "0x", second = "0x"] = (await chain.provider.request({
      method: "eth_accounts",
    })) as `0x${string}`[];
    const submission = await modules.submit(request(first, "0x0"));
    await awaitSubmission(modules, submission, { timeout: 20_000 });
    const root = rootOf([
      [BigInt(first), YES],
      [YES, 1n],
    ]);
    const text = `0x${root.toString(16)}` as const;
    const { outputPreimage } = await clients(server.url).moduleTasks.outputPreimage(submission.id);
    expect(outputPreimage).to.deep.equal([`0x${outputDigest([root, 1n]).toString(16)}`]);
    const next = await tasks.submit(request(second, text));
    await awaitSubmission(tasks, next, { timeout: 20_000 });
    const twice = await modules.submit(request(first, text));
    expect(await failure(awaitSubmission(modules, twice, { timeout: 20_000 }))).to.contain(
      "voted already",
    );
    const unknown = await modules.submit(request(second, "0x5"));
    expect(await failure(awaitSubmission(modules, unknown, { timeout: 20_000 }))).to.contain(
      "knows no trie",
    );
  });

  it("refuses another state server and invalid labels when they are sent", async () => {
    const body = { destination_chain_id: "0xaa36a7", program_hash: "0x77", input: { params: [] } };
    const foreign = await post(`${server.url}/tasks`, {
      ...body,
      injected_state_server: "https://state.example",
    });
    expect([foreign.status, (foreign.json() as { code: string }).code]).to.deep.equal([
      400,
      "HDP-4518",
    ]);
    const wrong = await post(`${server.url}/tasks`, {
      ...body,
      input: { injected_state: { votes: 1 } },
    });
    expect(wrong.status).to.equal(400);
    expect(wrong.text).to.contain("HDP-1124");
  });

  it("ends a run where another root is answered than the one computed here", async () => {
    const lying = { prove: client.prove.bind(client), write: () => Promise.resolve(1n) };
    const run = runModule(json, {
      inputs: [1n, 5n, 0x11n, YES].map((value) => ({ visibility: "public", value })),
      leadingFelts: 8,
      read: () => 1n,
      injectedState: { roots: new Map([[VOTES, 0n]]), server: lying },
    });
    expect((await hdpFailure(run)).code).to.equal("HDP-4426");
  });

  it("runs a module over injected state in the published form, and names what is none", async () => {
    const run = async (injectedState: unknown): Promise<unknown> =>
      await runModule(json, {
        inputs: [1n, 5n, 0x11n, YES].map((value) => ({ visibility: "public", value })),
        leadingFelts: 8,
        read: () => 1n,
        injectedState: injectedState as Record<string, bigint>,
      });
    const [published, own] = await Promise.all([
      run({ votes: "0x0" }),
      run({ roots: new Map([[VOTES, 0n]]) }),
    ]);
    expect(published).to.deep.equal(own);
    for (const [given, code, path] of [
      [5, "HDP-1103", "injectedState"],
      [{ votes: "zero" }, "HDP-1124", "injectedState"],
      [{ roots: { votes: 0n } }, "HDP-1124", "injectedState"],
      [{ roots: new Map([["votes", 0n]]) }, "HDP-1124", "injectedState"],
    ] as const) {
      expect(await hdpFailure(run(given))).to.include({ code, path });
    }
  });

  it("keeps its tries in the data folder", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "hdp-state-"));
    try {
      const before = await testServer(chain, { dataDir });
      const client = new FullStateServerClient(clients(before.url).http);
      const root = await client.write(5n, await client.create(5n, [[1n, 2n]]), 3n, 4n);
      await before.close();
      const again = await testServer(chain, { dataDir });
      expect(await new FullStateServerClient(clients(again.url).http).read(5n, root, 3n)).to.equal(
        4n,
      );
      await again.close();
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});

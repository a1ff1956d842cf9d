import { expect } from "chai";

import { storageProofRequest } from "../../src/entries/service.js";
import { BOB, SLOT, tampered } from "../support/simulated-chain.js";
import { clients, KEY, post, raw, served, testServer } from "./fixture.js";

type Json = Record<string, unknown>;

describe("development server: storage proofs", () => {
  const shared = served();

  const accounts = { [BOB]: { slots: [1n, 5n], props: ["BALANCE", "NONCE"] } } as const;

  it("proves headers, accounts and slots, and shows the node's proofs", async () => {
    const { storageProof } = clients(shared.server.url);
    const body = storageProofRequest({
      destinationChainId: "SN_SEPOLIA",
      origins: [
        {
          chainId: 11155111n,
          blocks: [{ block: 6n, header: ["BLOCK_NUMBER", "STATE_ROOT"], accounts }],
        },
      ],
    });
    const { request_id, status } = await storageProof.submitRequest(body);
    expect(status).to.equal("accepted");
    const [query, ...others] = await storageProof.awaitRequest(request_id, { timeout: 20_000 });
    expect(others).to.deep.equal([]);
    expect(query).to.include({ status: "COMPLETED", typ: "block" });
    const { actions } = await storageProof.getActions(query?.internal_id ?? "");
    const [header, account] = actions as Json[];
    const block = (await shared.chain.provider.request({
      method: "eth_getBlockByNumber",
      params: ["0x6", false],
    })) as Json;
    expect(header).to.deep.include({
      kind: "header",
      block_number: "6",
      block_hash: block["hash"],
      fields: { BLOCK_NUMBER: "0x06", STATE_ROOT: block["stateRoot"] },
      verified: true,
    });
    const proof = (await shared.chain.provider.request({
      method: "eth_getProof",
      params: [BOB, [SLOT, `0x${"0".repeat(63)}5`], "0x6"],
    })) as Json;
    expect(account).to.deep.include({
      kind: "account",
      account: BOB,
      props: { BALANCE: "1000000000000000000", NONCE: "0" },
      slots: { [SLOT]: `0x${"0".repeat(62)}2a`, [`0x${"0".repeat(63)}5`]: `0x${"0".repeat(64)}` },
      proof: { accountProof: proof["accountProof"], storageProof: proof["storageProof"] },
      verified: true,
    });
  });

  it("finds the block of a time: the last that is not later", async () => {
    const times = await Promise.all(
      [3, 4].map(async (number) => {
        const params = [`0x${number.toString(16)}`, false];
        const block = (await shared.chain.provider.request({
          method: "eth_getBlockByNumber",
          params,
        })) as Json;
        return BigInt(String(block["timestamp"]));
      }),
    );
    const { storageProof } = clients(shared.server.url);
    for (const [timestamp, expected] of [
      [times[0] ?? 0n, "3"],
      [(times[1] ?? 0n) - 1n, "3"],
      [times[1] ?? 0n, "4"],
    ] as const) {
      const { request_id } = await storageProof.submitRequest(
        storageProofRequest({
          destinationChainId: "SN_SEPOLIA",
          origins: [{ chainId: 1n, blocks: [{ timestamp, header: ["BLOCK_NUMBER"] }] }],
        }),
      );
      const [query] = await storageProof.awaitRequest(request_id, { timeout: 20_000 });
      const [action] = (await storageProof.getActions(query?.internal_id ?? "")).actions as Json[];
      expect(action?.["block_number"]).to.equal(expected);
    }
  });

  it("fails a query whose block does not exist, and one whose proof does not hold", async () => {
    const provider = tampered(shared.chain.provider, "eth_getProof", (answer) => ({
      ...(answer as Json),
      balance: "0x1",
    }));
    const odd = await testServer({ ...shared.chain, provider });
    try {
      const { storageProof } = clients(odd.url);
      for (const [block, reason] of [
        [6n, /HDP-4202.*balance/],
        [999n, /HDP-4101: block 999 does not exist/],
      ] as const) {
        const body = storageProofRequest({
          destinationChainId: "SN_SEPOLIA",
          origins: [{ chainId: 1n, blocks: [{ block, accounts }] }],
        });
        const { request_id } = await storageProof.submitRequest(body);
        let failure: unknown;
        await storageProof
          .awaitRequest(request_id, { timeout: 20_000 })
          .catch((error: unknown) => (failure = error));
        expect(String(failure)).to.include("HDP-2091");
        const [query] = (await storageProof.getQueries(request_id)).queries;
        const [action] = (await storageProof.getActions(query?.internal_id ?? ""))
          .actions as Json[];
        expect(action?.["error"]).to.match(reason);
      }
    } finally {
      await odd.close();
    }
  });

  it("names every part of a request that cannot be proven", async () => {
    const reply = await post(`${shared.server.url}/submit-request`, {
      destination_chain_id: "MARS",
      data: {
        "77": { "block:1": {} },
        "1": {
          "block:1": {
            header: ["COLOUR"],
            accounts: { "vitalik.eth": { props: ["AGE"] }, [BOB]: { slots: ["0xzz"] } },
          },
        },
      },
    });
    expect(reply.status).to.equal(400);
    const { code, hints } = reply.json() as { code: string; hints: string[] };
    expect(code).to.equal("HDP-4518");
    expect(hints).to.have.members([
      'destination_chain_id: "MARS" is not a known chain',
      'data.77: "77" is not the id of a known chain',
      "data.77.block:1: neither header fields nor accounts are given",
      'data.1.block:1.header.0: "COLOUR" is not a header field',
      'data.1.block:1.accounts.vitalik.eth: "vitalik.eth" is not an address (names are not resolved here)',
      'data.1.block:1.accounts.vitalik.eth.props.0: "AGE" is not one of NONCE, BALANCE, STORAGE_ROOT, CODE_HASH',
      `data.1.block:1.accounts.${BOB}.slots.0: not a slot of 32 bytes`,
    ]);
    const badKey = await post(`${shared.server.url}/submit-request`, {
      destination_chain_id: "1",
      data: { "1": { "time:1": {} } },
    });
    expect([badKey.status, (badKey.json() as Json)["code"]]).to.deep.equal([400, "HDP-4518"]);
    const empty = await post(`${shared.server.url}/submit-request`, {
      destination_chain_id: "1",
      data: {},
    });
    expect((empty.json() as Json)["error"]).to.equal(
      "the request cannot be accepted: data: no block is named.",
    );
  });

  it("keeps the state of grow orders", async () => {
    const { storageProof } = clients(shared.server.url);
    const created = (await storageProof.createGrowOrder({
      chain: "0x1",
      size: 12345678901234567890n.toString(),
    })) as Json;
    expect(created).to.deep.include({
      status: "OPEN",
      order: { chain: "0x1", size: "12345678901234567890" },
    });
    const id = String(created["id"]);
    expect(await storageProof.growOrder(id)).to.deep.equal(created);
    const cancelled = (await storageProof.cancelGrowOrder(id)) as Json;
    expect(cancelled).to.include({ id, status: "CANCELLED" });
    expect(await storageProof.cancelGrowOrder(id)).to.deep.equal(cancelled);
    const second = await storageProof.createGrowOrder({});
    expect(await storageProof.growOrders()).to.deep.equal({ grow_orders: [second, cancelled] });
  });

  it("wants the header api-key everywhere but at is-alive, and answers unknown ids 404", async () => {
    for (const path of [
      "get_queries/none",
      "get_actions/none",
      "grow-orders/none",
      "grow-orders",
    ]) {
      expect((await raw(`${shared.server.url}/${path}`)).status).to.equal(401);
      const reply = await raw(`${shared.server.url}/${path}`, { headers: { "api-key": KEY } });
      expect(reply.status).to.equal(path === "grow-orders" ? 200 : 404);
    }
    expect((await post(`${shared.server.url}/grow-orders/none/cancel`, "")).status).to.equal(404);
    expect((await raw(`${shared.server.url}/is-alive`)).status).to.equal(200);
  });

  it("answers the retired paths 410 and names the current ones", async () => {
    const submit = await post(`${shared.server.url}/submit-batch-query`, {});
    expect(submit.status).to.equal(410);
    expect(submit.text).to.include("POST /submit-request");
    const status = await raw(
      `${shared.server.url}/batch-query-status?batchQueryId=1&apiKey=${KEY}`,
    );
    expect(status.status).to.equal(410);
    expect(status.text).to.include("GET /get_queries/{request_id}");
  });
});

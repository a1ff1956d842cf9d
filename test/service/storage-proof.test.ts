import { expect } from "chai";
import { Agent } from "undici";

import { ServiceFailure } from "../../src/service/http/service-errors.js";
import {
  HttpClient,
  isServiceFailure,
  type StorageProofBlock,
  StorageProofClient,
  storageProofRequest,
} from "../../src/entries/service.js";
import { proofRequestSchema } from "../../src/dev-server/proof-queries.js";
import { headerPosition } from "../../src/service/storage-proof.js";
import { type FakeClock, fakeClock } from "../support/fake-clock.js";
import {
  type Answer,
  httpServer,
  type OddServer,
  sendJson,
  sendText,
} from "../support/odd-servers.js";
import { KEY } from "../support/service-requests.js";
import { rejection } from "../support/failure.js";

const ACCOUNT = "0x17C2D875CB397D813eAE817DaFD25807E348Df07";

describe("storage proof interface", () => {
  let server: OddServer;
  let clock: FakeClock;
  const dispatcher = new Agent();

  beforeEach(() => {
    clock = fakeClock();
  });

  afterEach(async () => {
    await server.close();
  });

  after(async () => {
    await dispatcher.close();
  });

  async function client(answer: Answer): Promise<StorageProofClient> {
    server = await httpServer(answer);
    return new StorageProofClient(
      new HttpClient({
        service: "the storage proof interface",
        url: server.url,
        apiKey: () => Promise.resolve(KEY),
        dispatcher,
        clock,
        random: () => 0,
      }),
    );
  }

  it("calls each current path with the key in header api-key, and is-alive without", async () => {
    const proofs = await client((request, response) => {
      if (request.url === "/submit-request")
        sendJson(response, 200, { status: "OK", request_id: "r1", cost: 3 });
      else if (request.url.startsWith("/get_queries"))
        sendJson(response, 200, { queries: [], page: 1 });
      else if (request.url.startsWith("/get_actions"))
        sendJson(response, 200, { actions: [{ anything: 1 }, "x"] });
      else if (request.url === "/is-alive") sendJson(response, 200, { message: "Alive!" });
      else if (request.url.endsWith("/cancel")) response.writeHead(200).end();
      else sendJson(response, 200, [request.method, request.body]);
    });
    const body = { destination_chain_id: "SN_SEPOLIA", data: {}, own: "field" };
    expect(await proofs.submitRequest(body)).to.deep.equal({
      status: "OK",
      request_id: "r1",
      cost: 3,
    });
    expect(await proofs.getQueries("r 1")).to.deep.equal({ queries: [], page: 1 });
    expect(await proofs.getActions("q1")).to.deep.equal({ actions: [{ anything: 1 }, "x"] });
    expect(await proofs.growOrders()).to.deep.equal(["GET", ""]);
    expect(await proofs.createGrowOrder({ any: 1 })).to.deep.equal(["POST", '{"any":1}']);
    expect(await proofs.growOrder("g1")).to.deep.equal(["GET", ""]);
    expect(await proofs.cancelGrowOrder("g1")).to.equal(null);
    expect(await proofs.isAlive()).to.deep.equal({ message: "Alive!" });
    expect(
      server.seen.map((request) => [request.method, request.url, request.headers["api-key"]]),
    ).to.deep.equal([
      ["POST", "/submit-request", KEY],
      ["GET", "/get_queries/r%201", KEY],
      ["GET", "/get_actions/q1", KEY],
      ["GET", "/grow-orders", KEY],
      ["POST", "/grow-orders", KEY],
      ["GET", "/grow-orders/g1", KEY],
      ["POST", "/grow-orders/g1/cancel", KEY],
      ["GET", "/is-alive", undefined],
    ]);
    expect(JSON.parse(server.seen[0]?.body ?? "")).to.deep.equal(body);
  });

  it("never repeats what is charged: submitting, creating and cancelling", async () => {
    const proofs = await client((_request, response) => {
      sendText(response, 502, "");
    });
    const calls = [
      () => proofs.submitRequest({}),
      () => proofs.createGrowOrder({}),
      () => proofs.cancelGrowOrder("g1"),
    ];
    for (const call of calls)
      expect(await rejection(call())).to.include({ code: "HDP-2090", status: 502 });
    expect(server.seen).to.have.length(3);
  });

  describe("awaitRequest", () => {
    const query = (internal_id: string, status: string) => ({
      internal_id,
      status,
      typ: "T",
      completed_at: null,
    });

    it("ends when there are queries and all are terminal", async () => {
      const lists = [
        [],
        [query("a", "COMPLETED"), query("b", "SOMETHING")],
        [query("a", "COMPLETED"), query("b", "SOMETHING")],
        [query("a", "COMPLETED"), query("b", "COMPLETED")],
      ];
      const told: string[][] = [];
      const proofs = await client((_request, response, index) => {
        sendJson(response, 200, { queries: lists[index] });
      });
      const queries = await proofs.awaitRequest("r1", {
        clock,
        random: () => 0,
        onQueries: (seen) => told.push(seen.map(({ status }) => status)),
      });
      expect(queries).to.deep.equal(lists[3]);
      expect(told).to.deep.equal([[], ["COMPLETED", "SOMETHING"], ["COMPLETED", "COMPLETED"]]);
      expect(clock.pauses.map(Math.round)).to.deep.equal([500, 675, 912]);
    });

    it("fails when a query failed, and only once all are terminal", async () => {
      const lists = [
        [query("a", "FAILED"), query("b", "RUNNING")],
        [query("a", "FAILED"), query("b", "COMPLETED")],
      ];
      const proofs = await client((_request, response, index) => {
        sendJson(response, 200, { queries: lists[index] });
      });
      const error = await rejection(proofs.awaitRequest("r1", { clock }));
      expect(isServiceFailure(error, "task-failed")).to.equal(true);
      expect(error).to.include({ code: "HDP-2091" });
      expect(error)
        .to.have.property("message")
        .that.includes("1 of its 2 queries")
        .and.includes("hdp proof actions a shows");
      expect(server.seen).to.have.length(2);
    });

    it("ends by its timeout with the last states", async () => {
      const proofs = await client((_request, response, index) => {
        sendJson(response, 200, { queries: index < 2 ? [] : [query("a", "WAITING")] });
      });
      const empty = await rejection(proofs.awaitRequest("r1", { clock, timeout: 500 }));
      expect(isServiceFailure(empty, "timeout")).to.equal(true);
      expect(empty)
        .to.have.property("message")
        .that.includes("it had no queries yet")
        .and.includes("hdp proof queries r1");
      const waiting = await rejection(proofs.awaitRequest("r1", { clock, timeout: 5_000 }));
      expect(waiting).to.have.property("message").that.includes("its queries were WAITING");
    });
  });

  describe("storageProofRequest", () => {
    before(async () => {
      server = await httpServer(() => undefined);
    });

    const one = (block: StorageProofBlock) =>
      storageProofRequest({
        destinationChainId: "SN_SEPOLIA",
        origins: [{ chainId: 11155111n, blocks: [block] }],
      });

    it("builds the published sample", () => {
      const body = one({ block: 5150551n, accounts: { [ACCOUNT]: { slots: ["0x0"] } } });
      expect(body).to.deep.equal({
        destination_chain_id: "SN_SEPOLIA",
        data: { "11155111": { "block:5150551": { accounts: { [ACCOUNT]: { slots: ["0x0"] } } } } },
      });
      expect(proofRequestSchema.safeParse(body)).to.have.property("success", true);
    });

    it("builds header fields, account properties, times and several chains", () => {
      const body = storageProofRequest({
        destinationChainId: "11155111",
        origins: [
          {
            chainId: 1n,
            blocks: [{ timestamp: 1_700_000_000n, header: ["STATE_ROOT", "TIMESTAMP"] }],
          },
          {
            chainId: 10n,
            blocks: [{ block: 0n, accounts: { [ACCOUNT]: { props: ["NONCE"], slots: [255n] } } }],
          },
          { chainId: 1n, blocks: [{ block: 7n, header: ["GAS_USED"] }] },
        ],
      });
      expect(body.data).to.deep.equal({
        "1": {
          "timestamp:1700000000": { header: ["STATE_ROOT", "TIMESTAMP"] },
          "block:7": { header: ["GAS_USED"] },
        },
        "10": { "block:0": { accounts: { [ACCOUNT]: { slots: ["0xff"], props: ["NONCE"] } } } },
      });
    });

    it("refuses an empty or contradictory request, with its place", () => {
      const refused = (work: () => unknown, path: string, words: string) => {
        expect(work).to.throw(ServiceFailure, words).that.includes({ code: "HDP-2024", path });
      };
      const place = "origins[0].blocks[0]";
      const nothing = { destinationChainId: "SN_SEPOLIA", origins: [] };
      refused(() => storageProofRequest(nothing), "origins", "nothing is asked for");
      const empty = { destinationChainId: "SN_SEPOLIA", origins: [{ chainId: 1n, blocks: [] }] };
      refused(() => storageProofRequest(empty), "origins[0].blocks", "no block is given");
      refused(() => one({ block: 1n }), place, "neither header fields nor accounts");
      refused(() => one({ block: -1n, header: ["NONCE"] }), place, "block:-1 is negative");
      refused(
        () => one({ block: 1n, accounts: { "0x12": { slots: [0n] } } }),
        `${place}.accounts`,
        '"0x12" is not an address',
      );
      refused(
        () => one({ block: 1n, accounts: { [ACCOUNT]: {} } }),
        `${place}.accounts.${ACCOUNT}`,
        "neither slots nor props",
      );
      const slots = `${place}.accounts.${ACCOUNT}.slots`;
      refused(
        () => one({ block: 1n, accounts: { [ACCOUNT]: { slots: [1n << 256n] } } }),
        slots,
        "is not a slot of 32 bytes",
      );
      refused(
        () => one({ block: 1n, accounts: { [ACCOUNT]: { slots: ["0xzz"] } } }),
        slots,
        '"0xzz" is not a slot',
      );
      const twice: StorageProofBlock = { block: 1n, header: ["NONCE"] };
      refused(
        () =>
          storageProofRequest({
            destinationChainId: "SN_SEPOLIA",
            origins: [{ chainId: 1n, blocks: [twice, twice] }],
          }),
        "origins[0].blocks[1]",
        "block:1 of chain 1 is given twice",
      );
    });
  });

  it("knows the position of each published field, one of them by two names", async () => {
    server = await httpServer(() => undefined);
    const names = ["PARENT_HASH", "UNCLES_HASH", "COINBASE", "PROPOSER", "STATE_ROOT"];
    expect(names.map(headerPosition)).to.deep.equal([0, 1, 2, 2, 3]);
    for (const name of ["", "BENEFICIARY", "parent_hash"])
      expect(headerPosition(name)).to.equal(-1);
  });
});

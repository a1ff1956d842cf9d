import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { parseTaskRequest, toTaskRequestJson } from "../../src/entries/request.js";
import { cutAfterAcceptance, FaultQueue, httpBurst } from "../../src/entries/faults.js";
import type {
  ProofDetails,
  RequestView,
  SubmissionDetails,
  SubmissionsView,
} from "../../src/request/views.js";
import {
  clients,
  headerTask,
  KEY,
  post,
  raw,
  type RawReply,
  served,
  testServer,
  type TestServer,
} from "./fixture.js";

const KEYED = { headers: { "X-API-KEY": KEY } };

const submitted = async ({ url }: TestServer, body: unknown): Promise<string> =>
  ((await post(`${url}/tasks`, body)).json() as { uuid: string }).uuid;

const details = async ({ url }: TestServer, id: string): Promise<SubmissionDetails> =>
  (await raw(`${url}/dashboard/submissions/${id}`, KEYED)).json() as SubmissionDetails;

const selected = async ({ url }: TestServer, query: string): Promise<SubmissionsView> =>
  (await raw(`${url}/dashboard/submissions?${query}`, KEYED)).json() as SubmissionsView;

/** Returns the details of a submission once they pass a test. */
async function once(
  server: TestServer,
  id: string,
  wanted: (found: SubmissionDetails) => boolean = ({ phase }) => phase !== "pending",
): Promise<SubmissionDetails> {
  for (;;) {
    const found = await details(server, id);
    if (wanted(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const codeOf = (reply: RawReply): readonly unknown[] => [
  reply.status,
  (reply.json() as { code: unknown }).code,
];

describe("development server: data of the dashboard", () => {
  const shared = served();

  it("selects submissions by title, hash, id, state and phase, and answers any page of them", async () => {
    const server = await testServer(shared.chain);
    try {
      const sum = await submitted(server, headerTask(1, "gas_limit", "sum"));
      const failing = await submitted(server, headerTask(99_999, "gas_used", "max"));
      const [done, failed] = [await once(server, sum), await once(server, failing)];
      const found = async (query: string): Promise<string[]> =>
        (await selected(server, query)).submissions.map(({ id }) => id);
      expect(await found("")).to.deep.equal([failing, sum]);
      expect(await found("search=Header.GAS_limit")).to.deep.equal([sum]);
      expect(await found(`search=${done.tasks[0]?.hash.slice(2, 20) ?? ""}`)).to.deep.equal([sum]);
      expect(await found(`search=${failing}`)).to.deep.equal([failing]);
      expect(await found("search=chainproofsfetchfailed")).to.deep.equal([failing]);
      expect(await found("state=finalized")).to.deep.equal([sum]);
      expect(await found("state=failed&search=sum")).to.deep.equal([]);
      expect(await found("search=%25")).to.deep.equal([]);
      expect(failed.errorPage).to.match(/docs\/errors\/\w+\.md#hdp-\d{4}$/);
      for (let more = 0; more < 100; more += 1) await submitted(server, headerTask(more % 8));
      expect(await selected(server, "page=1")).to.include({ total: 102, perPage: 100 });
      expect(await found("page=2")).to.deep.equal([failing, sum]);
      expect(await found("page=3")).to.deep.equal([]);
    } finally {
      await server.close();
    }
  });

  it("says all of a submission: each of a thousand tasks, request, sources and the others of its task", async () => {
    const { server } = shared;
    const first = await submitted(server, headerTask(2));
    const {
      tasks: [task],
      ...request
    } = headerTask(2) as { tasks: readonly unknown[] };
    const many = { ...request, tasks: Array.from({ length: 1_000 }, () => task) };
    const id = await submitted(server, many);
    const found = await once(server, id);
    expect(found).to.include({ phase: "finalized", taskCount: 1_000, isElsewhere: false });
    expect(found.tasks).to.have.length(1_000);
    expect(found.tasks[999]?.result?.blockNumber).to.match(/^\d+$/);
    expect(found.sources).to.deep.equal(["ETHEREUM_SEPOLIA"]);
    expect(found.others.map((one) => one.id)).to.deep.equal([first]);
    const json = JSON.parse((await once(server, first)).request ?? "") as unknown;
    expect(json).to.deep.equal(toTaskRequestJson(parseTaskRequest(headerTask(2))));
    expect(codeOf(await raw(`${server.url}/dashboard/submissions/none`, KEYED))).to.deep.equal([
      404,
      "HDP-4519",
    ]);
  });

  it("offers no task to compute again for a result that was computed elsewhere", async () => {
    const { server } = shared;
    const taskHash = `0x${"7".repeat(64)}` as const;
    const { uuid = "" } = await clients(server.url).moduleTasks.decommit({
      destinationChainId: "ETHEREUM_SEPOLIA",
      queryId: "elsewhere",
      output: { taskHash, root: `0x${"0".repeat(63)}5` },
    });
    const found = await once(server, uuid);
    expect(found).to.include({ phase: "finalized", taskCount: 1 }).and.not.have.property("request");
    expect(found.tasks[0]).to.deep.include({
      hash: taskHash,
      title: "result that was computed elsewhere",
      isComputed: false,
    });
  });

  it("says all of a storage proof request: its block, each proven value, or why there are none", async () => {
    const { server, chain } = shared;
    const account = { props: ["BALANCE", "NONCE"], slots: [`0x${"0".repeat(64)}`] };
    const found = async (block: number): Promise<ProofDetails> => {
      const { storageProof } = clients(server.url);
      const asked = {
        header: ["BLOCK_NUMBER", "GAS_LIMIT"],
        accounts: { [chain.store]: account },
      };
      const { request_id: request } = await storageProof.submitRequest({
        destination_chain_id: "SN_SEPOLIA",
        data: { "11155111": { [`block:${block}`]: asked } },
      });
      // Rejects for a failed one.
      await storageProof.awaitRequest(request).catch(() => undefined);
      const [query] = (await storageProof.getQueries(request)).queries;
      return (
        await raw(`${server.url}/dashboard/proofs/${query?.internal_id ?? ""}`, KEYED)
      ).json() as ProofDetails;
    };
    const head = BigInt((await chain.provider.request({ method: "eth_blockNumber" })) as string);
    const proven = await found(Number(head));
    expect(proven).to.include({ status: "COMPLETED", chainId: "11155111" });
    expect(proven.block?.number).to.equal(head.toString());
    expect(proven.block?.hash).to.match(/^0x[0-9a-f]{64}$/);
    const of = chain.store.toLowerCase();
    expect(proven.values.map((one) => [one.of, one.name])).to.deep.equal([
      ["header", "BLOCK_NUMBER"],
      ["header", "GAS_LIMIT"],
      [of, "BALANCE"],
      [of, "NONCE"],
      [of, `0x${"0".repeat(64)}`],
    ]);
    expect(BigInt(proven.values[0]?.value ?? 0)).to.equal(head);
    expect(proven.values[2]?.value).to.equal("0");
    expect(JSON.parse(proven.actions)).to.have.length(2);
    const failed = await found(99_999);
    expect(failed).to.deep.include({ status: "FAILED", values: [] });
    expect(failed.error).to.contain("block 99999 does not exist");
    expect(failed.errorPage).to.match(/docs\/errors\/processor\.md#hdp-4101$/);
    const unknown = await raw(`${server.url}/dashboard/proofs/none`, KEYED);
    expect(codeOf(unknown)).to.deep.equal([404, "HDP-4519"]);
  });

  it("submits the request of a submission once more, and only for its own page", async () => {
    const { server } = shared;
    const id = await submitted(server, headerTask(3, "gas_used", "min"));
    await once(server, id);
    const foreign = { "sec-fetch-site": "cross-site" };
    const again = `${server.url}/dashboard/again`;
    expect(codeOf(await post(again, { id }, foreign))).to.deep.equal([403, "HDP-4528"]);
    const reply = (await post(again, { id })).json() as { id: string };
    expect(reply.id).to.not.equal(id);
    const [before, after] = [await once(server, id), await once(server, reply.id)];
    expect(after.tasks).to.deep.equal(
      before.tasks.map((task) => ({ ...task, result: after.tasks[0]?.result })),
    );
    expect(after.tasks[0]?.result?.word).to.equal(before.tasks[0]?.result?.word);
  });

  it("says that results are of another chain when the chain was started anew, until they are submitted again", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "hdp-elsewhere-"));
    const at = async (firstBlock: string): Promise<TestServer> =>
      await testServer(shared.chain, {
        dataDir,
        info: { executionStore: shared.chain.store, firstBlock },
      });
    let server = await at("0x1");
    try {
      const id = await submitted(server, headerTask(4));
      expect(await once(server, id)).to.include({ phase: "finalized", isElsewhere: false });
      await server.close();
      server = await at("0x2");
      expect(await details(server, id)).to.include({ phase: "finalized", isElsewhere: true });
      const { id: again } = (await post(`${server.url}/dashboard/again`, { id })).json() as {
        id: string;
      };
      expect(await once(server, again)).to.include({ phase: "finalized", isElsewhere: false });
      await server.close();
      server = await at("0x1");
      expect(await details(server, id)).to.include({ isElsewhere: false });
    } finally {
      await server.close();
      await rm(dataDir, { recursive: true });
    }
  });

  it("says how its webhook was delivered: each attempt with its answer", async () => {
    let calls = 0;
    const receiver = createServer((_request, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 503 : 204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/hook`;
    try {
      const id = await submitted(shared.server, { ...headerTask(1), webhook_url: url });
      const { webhook } = await once(
        shared.server,
        id,
        (found) => found.webhook?.attempts !== undefined,
      );
      expect(webhook?.url).to.equal(url);
      expect(webhook?.attempts?.map(({ answer }) => answer)).to.deep.equal(["503", "204"]);
    } finally {
      receiver.close();
    }
  });

  it("keeps a log of clients' requests with refusals and injected faults, without queries and its own", async () => {
    const faults = new FaultQueue(httpBurst(503, 1), cutAfterAcceptance());
    const server = await testServer(shared.chain, { faults });
    try {
      for (const path of ["/swagger/", "/openapi.json", "/favicon.ico", "/dashboard/icon.svg"])
        expect((await raw(`${server.url}${path}`)).status, path).to.equal(200);
      await raw(`${server.url}/is-alive?apiKey=secret`);
      await post(`${server.url}/tasks`, headerTask(1)).catch(() => undefined);
      await post(`${server.url}/tasks`, "{");
      const { requests } = (await raw(`${server.url}/dashboard/requests`, KEYED)).json() as {
        requests: readonly RequestView[];
      };
      expect(
        requests.map(({ method, path, status, code, injected }) => [
          method,
          path,
          status,
          code ?? injected,
        ]),
      ).to.deep.equal([
        ["POST", "/tasks", 400, "HDP-4517"],
        ["POST", "/tasks", 0, "cut-after-acceptance"],
        ["GET", "/is-alive", 503, "http-burst"],
      ]);
    } finally {
      await server.close();
    }
  });

  it("sends the page's files compressed, and not again to a browser that has them", async () => {
    const address = `${shared.server.url}/dashboard/page.js`;
    const plain = await fetch(address, { headers: { "accept-encoding": "identity" } });
    const packed = await fetch(address, { headers: { "accept-encoding": "gzip, br" } });
    expect(packed.headers.get("content-encoding")).to.equal("gzip");
    expect(plain.headers.get("content-encoding")).to.equal(null);
    expect(Number(packed.headers.get("content-length"))).to.be.below(
      Number(plain.headers.get("content-length")) / 2,
    );
    expect(await packed.text()).to.equal(await plain.text());
    const etag = packed.headers.get("etag") ?? "";
    const again = await raw(address, { headers: { "if-none-match": etag } });
    expect([again.status, again.text]).to.deep.equal([304, ""]);
    const other = await raw(address, { headers: { "if-none-match": '"other"' } });
    expect(other.status).to.equal(200);
  });
});

import { expect } from "chai";
import { Agent } from "undici";

import {
  batchEdition,
  tasksEdition,
  awaitSubmission,
  RemoteDataProcessor,
  HttpClient,
} from "../../src/entries/service.js";
import type { ChainIdentifier, TaskRequest } from "../../src/entries/request.js";
import { fakeClock } from "../support/fake-clock.js";
import { rejection } from "../support/failure.js";
import { httpServer, type OddServer, sendJson, sendText } from "../support/odd-servers.js";
import { datalakeHash, datalakeRequest, KEY } from "../support/service-requests.js";

describe("a data processor over HTTP", () => {
  let server: OddServer;
  let answer: unknown;
  const dispatcher = new Agent({ pipelining: 0 });
  const remote = (edition = tasksEdition): RemoteDataProcessor => {
    const http = new HttpClient({
      service: "the data processor",
      url: server.url,
      apiKey: () => Promise.resolve(KEY),
      dispatcher,
      clock: fakeClock(),
      random: () => 0,
    });
    return new RemoteDataProcessor({ http, edition });
  };
  const statusOf = async (said: unknown) => {
    answer = said;
    return await remote().status({ id: "t-1" });
  };

  before(async () => {
    server = await httpServer((_request, response) => {
      if (typeof answer === "string") sendText(response, 200, answer);
      else sendJson(response, 200, answer);
    });
  });
  after(async () => {
    await dispatcher.destroy();
    await server.close();
  });

  it("makes names and details of states printable, except the names that end a wait", async () => {
    const odd = await statusOf({
      status: `\u001b[31mQueued\nfor ${KEY}`,
      errorMessage: `\u001b]0;x\u0007no\nkey ${KEY}`,
    });
    expect(odd.phase).to.equal("pending");
    for (const text of [odd.name, odd.detail ?? ""]) {
      // eslint-disable-next-line no-control-regex
      expect(text).to.match(/^[^\u0000-\u001f]+$/);
      expect(text).to.not.contain(KEY);
    }
    expect(odd.name).to.contain("Queued");
    expect(odd.detail).to.contain("no");
    expect(await statusOf({ status: "DryRunFailed", errorMessage: "out of\nsteps" })).to.deep.equal(
      {
        name: "DryRunFailed",
        phase: "failed",
        detail: "out of steps",
        raw: { status: "DryRunFailed", errorMessage: "out of\nsteps" },
      },
    );
  });

  it("returns no detail where the service gives none", async () => {
    for (const said of [{ status: "Received" }, { status: "Received", errorMessage: null }]) {
      expect(await statusOf(said)).to.deep.equal({ name: "Received", phase: "pending", raw: said });
    }
    for (const said of ["Opened", { status: "Opened" }, { status: "Opened", errorMessage: null }]) {
      expect(batchEdition.parseStatus(said)).to.deep.equal({ name: "Opened", phase: "pending" });
    }
  });

  it("accepts one word as a state, and other text only as JSON", async () => {
    const over = async (said: string) => {
      answer = said;
      return await remote(batchEdition).status({ id: "b-1" });
    };
    for (const said of ["Opened", "  Opened\n", '"Opened"', "O_p", "a".repeat(64)]) {
      const name = said.replaceAll('"', "").trim();
      expect((await over(said)).name).to.equal(name);
    }
    for (const said of ["Op", "a".repeat(65), "Opened now", "<Opened>", "Opened!", "1Opened"]) {
      expect(await rejection(over(said)), said).to.include({ code: "HDP-2070" });
    }
  });

  it("shows the service's own hashes where they differ from ours in more than letter case", async () => {
    const other = `0x${"12".repeat(32)}`;
    for (const [taskHashes, shown] of [
      [undefined, undefined],
      [[datalakeHash], undefined],
      [[`0x${datalakeHash.slice(2).toUpperCase()}`], undefined],
      [[other], [other]],
      [
        [datalakeHash, other],
        [datalakeHash, other],
      ],
      [
        [other, datalakeHash],
        [other, datalakeHash],
      ],
      [[], []],
    ] as const) {
      answer = { uuid: "t-1", ...(taskHashes === undefined ? {} : { taskHashes }) };
      const submission = await remote().submit(datalakeRequest);
      expect(submission.serviceTaskHashes, String(taskHashes)).to.deep.equal(shown);
      expect(submission.taskHashes).to.deep.equal([datalakeHash]);
    }
    expect(tasksEdition.parseSubmit({ uuid: "t-1" })).to.deep.equal({
      id: "t-1",
      taskHashes: undefined,
    });
  });

  it("reports a state again where only its detail is new", async () => {
    const told: (string | undefined)[] = [];
    const seen = ["1 of 2", "1 of 2", "2 of 2", undefined];
    const submission = {
      id: "t-1",
      processor: "tasks",
      destinationChainId: "ETHEREUM_SEPOLIA",
      taskHashes: [],
    } as const;
    await awaitSubmission(
      {
        status: () => {
          if (seen.length === 0) return Promise.resolve({ name: "Finalized", phase: "finalized" });
          const detail = seen.shift();
          return Promise.resolve({
            name: "Proving",
            phase: "pending",
            ...(detail === undefined ? {} : { detail }),
          });
        },
      },
      submission,
      {
        clock: fakeClock(),
        random: () => 0,
        onStatus: ({ name, detail }) => told.push(detail ?? name),
      },
    );
    expect(told).to.deep.equal(["1 of 2", "2 of 2", "Proving", "Finalized"]);
  });

  it("writes Starknet Sepolia as the specification does, as destination and in datalakes", async () => {
    const [task] = datalakeRequest.tasks;
    if (task?.type !== "DatalakeCompute") throw new Error("a datalake task");
    const on = (destinationChainId: ChainIdentifier, chainId: ChainIdentifier): TaskRequest => ({
      destinationChainId,
      tasks: [{ ...task, datalake: { ...task.datalake, chainId } }],
    });
    const written = async (request: TaskRequest) => {
      const { json } = await tasksEdition.buildSubmit(request);
      return JSON.stringify(json).match(/"(?:destinationChainId|chainId)":"\w+"/g);
    };
    expect(await written(on("STARKNET_SEPOLIA", "ETHEREUM_SEPOLIA"))).to.deep.equal([
      '"destinationChainId":"SN_SEPOLIA"',
      '"chainId":"ETHEREUM_SEPOLIA"',
    ]);
    expect(await written(on("STARKNET_MAINNET", "STARKNET_SEPOLIA"))).to.deep.equal([
      '"destinationChainId":"STARKNET_MAINNET"',
      '"chainId":"SN_SEPOLIA"',
    ]);
  });
});

import { expect } from "chai";

import { parseCompiledClass, flatProgramHash } from "../../src/entries/program.js";
import {
  awaitSubmission,
  isServiceFailure,
  moduleTasksEdition,
  ModuleRegistryClient,
} from "../../src/entries/service.js";
import { taskHash, type TaskRequest } from "../../src/entries/request.js";
import { keysOf } from "../../src/base/collections.js";
import { CONTRADICTIONS, readSides } from "../../src/service/data-processor/contradictions.js";
import { rejection } from "../support/failure.js";
import {
  clients,
  headerTask,
  KEY,
  post,
  raw,
  type TestChain,
  testChain,
  testServer,
} from "./fixture.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "./small-class.js";

const REQUEST: TaskRequest = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "Module",
      programHash: SMALL_CLASS_HASH,
      inputs: [{ visibility: "public", value: "0x2" }],
    },
  ],
};
const [TASK] = REQUEST.tasks;
const WORD = `0x${"0".repeat(63)}7` as const;

describe("development server: where published sources contradict each other", () => {
  let chain: TestChain;
  before(async () => {
    chain = await testChain();
  });

  for (const name of keysOf(CONTRADICTIONS)) {
    for (const side of CONTRADICTIONS[name]) {
      it(`stands for one source (${name}=${side}), and the client understands it`, async () => {
        const server = await testServer(chain, {
          published: readSides(`${name}=${side}`, "--published"),
          runModule: async () => await Promise.resolve({ word: WORD, proven: true, output: [7n] }),
        });
        try {
          await CASES[name](side, server.url);
        } finally {
          await server.close();
        }
      });
    }
  }

  /** What is asked of a server that stands for a side. */
  const CASES: Readonly<
    Record<keyof typeof CONTRADICTIONS, (side: string, url: string) => Promise<void>>
  > = {
    api: async (side, url) => {
      const { modules, tasks, batch } = clients(url);
      const datalake = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: headerTask(1)["tasks"] };
      const submitted = {
        "module-tasks": await ends(modules.submit(REQUEST)),
        tasks: "",
        batch: "",
      };
      for (const [version, path] of [
        ["tasks", "/tasks"],
        ["batch", `/submit-batch?apiKey=${KEY}`],
      ] as const)
        submitted[version] = (await post(url + path, datalake)).status === 200 ? "" : "refused";
      const served = keysOf(submitted).filter((version) => submitted[version] === "");
      expect(served).to.deep.equal([side]);
      expect([tasks.name, batch.name]).to.deep.equal(["tasks", "batch"]);
    },
    destination: async (side, url) => {
      const { remote, modules, moduleTasks } = clients(url);
      const compiledClass = async (): Promise<unknown> => await Promise.resolve(SMALL_CLASS);
      const extra = { destination_chain_id: 11155111 };
      const asNumber = remote(moduleTasksEdition({ compiledClass, extra }));
      const [taken, refused] = side === "hex" ? [modules, asNumber] : [asNumber, modules];
      const { id } = await taken.submit(REQUEST);
      expect((await moduleTasks.details(id)).destinationChainId).to.equal("11155111");
      const error = await rejection(refused.submit(REQUEST));
      expect(isServiceFailure(error, "validation"), String(error)).to.equal(true);
      expect(String(error)).to.include("destination_chain_id: expected");
    },
    inputs: async (_, url) => {
      const { modules, moduleTasks } = clients(url);
      const { id } = await modules.submit(REQUEST);
      expect((await moduleTasks.details(id)).taskHash).to.equal(TASK && taskHash(TASK));
    },
    accepted: async (side, url) => {
      const { modules, moduleTasks } = clients(url);
      const { id, raw: reply } = await modules.submit(REQUEST);
      expect(reply).to.have.property("uuid", id);
      expect("status" in (reply as object)).to.equal(side === "status");
      const { uuid } = await moduleTasks.decommit({
        destinationChainId: "ETHEREUM_SEPOLIA",
        queryId: "run",
        output: { taskHash: WORD, root: WORD },
      });
      expect((await moduleTasks.details(uuid ?? "")).taskHash).to.equal(WORD);
    },
    unknown: async (side, url) => {
      const { moduleTasks } = clients(url);
      const withKey = { headers: { "X-API-KEY": KEY } };
      expect((await raw(`${url}/tasks/none/details`, withKey)).json()).to.have.property(side);
      expect((await post(`${url}/tasks/none/retry`, "")).json()).to.have.property(side);
      for (const asked of [moduleTasks.details("none"), moduleTasks.retry("none")]) {
        const error = await rejection(asked);
        expect(isServiceFailure(error, "not-found"), String(error)).to.equal(true);
      }
    },
    mmrs: async (side, url) => {
      const { moduleTasks } = clients(url);
      const hdp_output = {
        task_hash_low: "0x1",
        task_hash_high: "0x0",
        output_tree_root_low: "0x2",
        output_tree_root_high: "0x0",
      };
      const facts = { id: "0x1", size: "0xa", chain_id: "0x1", root: "0x5" };
      for (const [form, mmr] of [
        ["variant", { Poseidon: facts }],
        ["tagged", { hash: "poseidon", ...facts }],
      ] as const) {
        const reply = await post(`${url}/tasks/decommitment`, {
          destination_chain_id: "0xaa36a7",
          atlantic_query_id: form,
          hdp_output: { ...hdp_output, mmr_metas: [mmr] },
        });
        expect(reply.status, reply.text).to.equal(form === side ? 200 : 400);
        if (form !== side) continue;
        const { uuid } = reply.json() as { uuid: string };
        const { mmrs } = await moduleTasks.mmrs(uuid);
        expect(mmrs).to.deep.equal([{ ...facts, hashing_function: "poseidon" }]);
      }
    },
    program: async (side, url) => {
      const form = new FormData();
      form.append("module", new Blob([JSON.stringify(SMALL_CLASS)]), "module.json");
      for (const [name, value] of Object.entries({ name: "average", version: "1.0.0" }))
        form.append(name, value);
      const sent = { method: "POST", headers: { "X-API-KEY": KEY }, body: form };
      const { id, programHash } = (await raw(`${url}/modules/upload`, sent)).json() as {
        id: string;
        programHash: string;
      };
      const flat = flatProgramHash(parseCompiledClass(SMALL_CLASS));
      expect(flat).not.to.equal(SMALL_CLASS_HASH);
      expect(programHash).to.equal(side === "flat" ? flat : SMALL_CLASS_HASH);
      const versions = await new ModuleRegistryClient(clients(url).http).versions(id);
      expect(versions.map(({ hash }) => hash)).to.deep.equal([programHash]);
      // The prover hashes tasks with the same hash of the program.
      const { modules, moduleTasks } = clients(url);
      const submitted = await modules.submit(REQUEST);
      await awaitSubmission(modules, submitted, { timeout: 20_000 });
      const details = await moduleTasks.details(submitted.id);
      const own =
        TASK?.type === "Module" && taskHash({ ...TASK, programHash: `0x${programHash.slice(2)}` });
      expect(details).to.include({ taskHash: own, programHash });
      expect(own === submitted.taskHashes[0]).to.equal(side === "segments");
    },
  };

  it("refuses a point or a side that is none, and names the nearest", () => {
    for (const [text, words] of [
      ["inptus=params", 'Did you mean "inputs"?'],
      ["inputs=parms", 'Did you mean "params"?'],
      ["inputs", "params, task_inputs"],
    ] as const) {
      const error = hdpFailureOf(() => readSides(text, "--published"));
      expect(String(error)).to.include("HDP-6003").and.include(words);
    }
    expect(readSides("inputs=params, accepted=bare", "--published")).to.deep.equal({
      inputs: "params",
      accepted: "bare",
    });
  });
});

/** Returns "refused" for a refusal, and an empty text for success. */
async function ends(submission: Promise<unknown>): Promise<string> {
  return await submission.then(
    () => "",
    () => "refused",
  );
}

function hdpFailureOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import {
  blockSampled,
  header,
  moduleTask,
  taskHash,
  type TaskInput,
  taskRequest,
} from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import type { HdpConnection } from "../../src/types.js";
import { hdpFailure } from "../support/failure.js";

const sum = blockSampled({ from: 0, to: 3, property: header("number") }).sum();
const max = blockSampled({ from: 0, to: 3, property: header("number") }).max();
const document = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0,
    blockRangeEnd: 3,
    sampledProperty: "header.number",
  },
  compute: { aggregateFnId: "sum" },
};
const moduleDocument = {
  type: "Module",
  programHash: "0x1",
  inputs: [{ visibility: "public", value: "0x2" }],
};
const program = moduleTask({ programHash: "0x1", inputs: [2n] });

describe("what can be submitted", () => {
  let folder: string;
  let hdp: HdpConnection;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-input-"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(
      join(folder, "request.json"),
      JSON.stringify({ destinationChainId: "BASE_MAINNET", tasks: [document] }),
    );
    await writeFile(join(folder, "task.json"), JSON.stringify(document));
    await writeFile(join(folder, "tasks.json"), JSON.stringify([document, moduleDocument]));
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, folder);
    const connection = await hre.network.create();
    await connection.provider.request({ method: "hardhat_mine", params: ["0x5"] });
    ({ hdp } = connection);
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  /** Where the submission of an input goes, and its tasks. */
  async function submitted(
    input: TaskInput,
  ): Promise<{ to: string | undefined; hashes: readonly string[] }> {
    const { destinationChainId, taskHashes } = await hdp.submit(input);
    return { to: destinationChainId, hashes: taskHashes };
  }

  it("takes tasks, documents, files and lists of each for the same tasks", async () => {
    const one = { to: "ETHEREUM_SEPOLIA", hashes: [taskHash(sum)] };
    for (const input of [sum, document, "task.json", [sum], [document], ["task.json"]]) {
      expect(await submitted(input), JSON.stringify(input, text)).to.deep.equal(one);
    }
    const both = { to: "ETHEREUM_SEPOLIA", hashes: [taskHash(sum), taskHash(program)] };
    for (const input of [
      [sum, program],
      [document, moduleDocument],
      "tasks.json",
      [sum, moduleDocument],
    ]) {
      expect(await submitted(input), JSON.stringify(input, text)).to.deep.equal(both);
    }
    const base = { to: "BASE_MAINNET", hashes: [taskHash(sum), taskHash(max)] };
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [max] });
    expect(await submitted(["request.json", request])).to.deep.equal(base);
    expect(
      await submitted({ destinationChainId: "BASE_MAINNET", tasks: [sum, max] }),
    ).to.deep.equal(base);
  });

  it("sends the results of modules where their document says", async () => {
    const request = { destinationChainId: "SN_SEPOLIA", tasks: [moduleDocument] };
    expect(await submitted(request)).to.deep.equal({
      to: "STARKNET_SEPOLIA",
      hashes: [taskHash(program)],
    });
  });

  it("names a file of the project that is no task file, and a folder", async () => {
    await writeFile(join(folder, "tsconfig.json"), '{ "compilerOptions": {}, "files": [] }');
    await writeFile(join(folder, "other.json"), '{ "type": "module", "scripts": {} }');
    for (const [file, keys] of [
      ["tsconfig.json", "compilerOptions"],
      ["other.json", "scripts"],
    ] as const) {
      const error = await hdpFailure(hdp.submit(file));
      expect(error.code).to.equal("HDP-6003");
      expect(error.message).to.contain(`${file}" is not a task file: it has "${keys}"`);
    }
    const error = await hdpFailure(hdp.submit(folder));
    expect(error.message).to.contain("it is a directory, not a file");
  });

  it("refuses what is wrong in an object as it refuses it in a file", async () => {
    const wrong: readonly (readonly [unknown, ...string[]])[] = [
      [{ destinationChainId: "MARS", tasks: [moduleDocument] }, "HDP-1108", "destinationChainId"],
      [
        { destinationChainId: "BASE_MAINNET", tasks: [program, { ...document, datalake: {} }] },
        "HDP-1101",
        "tasks[1].datalake.type",
      ],
      [
        { ...moduleDocument, inputs: [{ visibility: "secret", value: "0x2" }] },
        "HDP-1108",
        "inputs[0].visibility",
      ],
      [{ ...moduleDocument, inputs: "no" }, "HDP-1103", "inputs"],
      [{ ...moduleDocument, destinationChainId: "BASE_MAINNET" }, "HDP-1100"],
      [[sum, { ...moduleDocument, inputs: "no" }], "HDP-1103", "tasks[1].inputs"],
      [
        { ...sum, datalake: { ...sum.datalake, blockRangeEnd: -1n } },
        "HDP-1113",
        "datalake.blockRangeEnd",
      ],
      [{ destinationChainId: "BASE_MAINNET", tasks: [] }, "HDP-1120", "tasks"],
      [{}, "HDP-1101", "type"],
    ];
    for (const [input, code, path] of wrong) {
      const error = await hdpFailure(hdp.submit(input as TaskInput));
      const shown = JSON.stringify(input, text);
      expect({ code: error.code, path: error.path }, `${shown}: ${error.message}`).to.deep.equal({
        code,
        path,
      });
      // A file has no objects of this package.
      if (JSON.stringify(input, text).includes('"kind"')) continue;
      await writeFile(join(folder, "wrong.json"), shown);
      expect((await hdpFailure(hdp.submit("wrong.json"))).code, shown).to.equal(code);
    }
  });

  it("names a hundred errors of a file, counts the others, and does not read what has too many values", async () => {
    const tasks = [
      ...Array.from({ length: 150 }, () => ({})),
      ...[1, 2].map(() => ({ ...document, compute: {} })),
    ];
    const written: unknown = { destinationChainId: "BASE_MAINNET", tasks };
    await writeFile(join(folder, "many.json"), JSON.stringify(written));
    for (const input of ["many.json", written]) {
      const error = await hdpFailure(hdp.submit(input as TaskInput));
      expect(error.shortMessage).to.equal("there are 152 errors to correct.");
      expect(error.hints.filter((hint) => hint.startsWith("HDP-"))).to.have.length(100);
      expect(error.hints.at(-1)).to.equal("… and 52 more.");
    }
    await writeFile(join(folder, "long.json"), `[${"0,".repeat(500_000)}0]`);
    const { code, source, message } = await hdpFailure(hdp.submit("long.json"));
    expect([code, source]).to.deep.equal(["HDP-1001", "long.json:1:1"]);
    expect(message).to.contain(
      "the text is not JSON at line 1, column 1: it has more than 500,000 values.",
    );
    expect(message).to.contain("Give the values in several files.");
  });

  it("names the file that holds no task", async () => {
    const unfinished = { type: "DatalakeCompute", avg: 1, sum: 1, min: 1, max: 1, count: 1 };
    for (const [content, code, path] of [
      [[], "HDP-1120", undefined],
      [7, "HDP-6018", undefined],
      [[document, unfinished], "HDP-6018", "tasks[1]"],
    ] as const) {
      await writeFile(join(folder, "none.json"), JSON.stringify(content, text));
      const error = await hdpFailure(hdp.run("none.json"));
      expect({ code: error.code, path: error.path }).to.deep.equal({ code, path });
      expect(error.source).to.match(/none\.json$/);
    }
  });

  it("says in a sentence what is no task", async () => {
    expect((await hdpFailure(hdp.run([] as never))).message).to.match(
      /^HDP-1120: the list of tasks is empty; write at least one\./,
    );
    for (const value of [5, null, undefined, true]) {
      const { message } = await hdpFailure(hdp.run(value as never));
      expect(message).to.match(new RegExp(`^HDP-6018: ${String(value)} is not a task\\.`));
    }
    const unfinished = blockSampled({ from: 0, to: 3, property: header("number") });
    for (const [input, place] of [
      [unfinished, ""],
      [[sum, unfinished], " in tasks[1]"],
      [{ destinationChainId: "BASE_MAINNET", tasks: [unfinished] }, " in tasks[0]"],
    ] as const) {
      const { message } = await hdpFailure(hdp.run(input as never));
      expect(message.split("\n")[0]).to.equal(
        `HDP-6018${place}: a datalake without an aggregate function is not a task.`,
      );
    }
  });

  it("finalizes what submit takes, of one task", async () => {
    // A task of its own: those above are computed to their own values in the meantime.
    const own = blockSampled({ from: 0, to: 3, property: header("number") }).min();
    const ownDocument = { ...document, compute: { aggregateFnId: "min" } };
    await writeFile(join(folder, "own.json"), JSON.stringify(ownDocument));
    const { taskHash: hash } = await hdp.finalize("own.json", 7n);
    expect(hash).to.equal(taskHash(own));
    await hdp.assertions.finalized("own.json", 7n);
    expect((await hdpFailure(hdp.finalize("tasks.json", 7n))).code).to.equal("HDP-1123");
    expect((await hdpFailure(hdp.finalize("none-there.json", 7n))).code).to.equal("HDP-6001");
  });

  it("refuses requests that go to several chains", async () => {
    const elsewhere = taskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [max] });
    const { code, message } = await hdpFailure(hdp.run(["request.json", elsewhere]));
    expect(code).to.equal("HDP-6021");
    expect(message).to.contain("BASE_MAINNET and ETHEREUM_SEPOLIA");
    const explained = await hdp.explain(["request.json", elsewhere], { task: 2 });
    expect(explained.value).to.equal(3n);
  });
});

function text(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

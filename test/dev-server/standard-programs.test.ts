import { expect } from "chai";

import { moduleRunner } from "../../src/entries/local.js";
import {
  asModule,
  blockSampled,
  header,
  describeTask,
  rootOfValue,
  standardProgram,
  STANDARD_PROGRAMS,
  taskHash,
  taskRequest,
  transactionsInBlock,
  tx,
  valueFelts,
} from "../../src/entries/request.js";
import { awaitSubmission, moduleTasksEdition } from "../../src/entries/service.js";
import { standardClass } from "../../src/program/standard-classes.js";
import type { SubmissionDetails } from "../../src/request/views.js";
import { clients, KEY, raw, testChain, testServer, type TestServer } from "./fixture.js";

/** Block 7 has transactions of types 0, 1, 2 and 4 and of values 10, 11, 12 and 13. */
const TASKS = [
  {
    task: blockSampled({ from: 1n, to: 7n, property: header("number") }).avg(),
    value: 4n,
    spoken: undefined,
  },
  {
    task: transactionsInBlock({ block: 7n, from: 0n, to: 4n, property: tx("value") }).sum(),
    value: 33n,
    spoken: "0.000000000000000033 ether in all",
  },
];

describe("development server: the module form of datalake tasks", () => {
  let server: TestServer;

  before(async () => {
    const started = await testServer(await testChain(), {
      // Of the class alone, as it came with the task: no ABI says how it is called.
      runModule: moduleRunner({
        programFor: async (hash) => {
          const stored = started.programs.get(hash);
          if (stored === undefined) throw new Error("the class did not come with the task");
          return await Promise.resolve({ compiledClassJson: JSON.parse(stored.text) as unknown });
        },
      }),
    });
    server = started;
  });
  after(async () => {
    await server.close();
  });

  for (const [at, { task, value, spoken }] of TASKS.entries()) {
    it(`computes the class that comes along, ends with one hash, and shows the value whose root it stored: ${STANDARD_PROGRAMS[at]?.name}`, async () => {
      const module = asModule(task);
      const { remote, moduleTasks } = clients(server.url);
      const processor = remote(
        moduleTasksEdition({
          compiledClass: async (hash) => {
            const program = standardProgram(hash);
            if (program === undefined) throw new Error("no standard program");
            return await standardClass(program);
          },
        }),
      );
      const submission = await processor.submit(taskRequest({ tasks: [module] }));
      await awaitSubmission(processor, submission, { timeout: 20_000 });
      const details = await moduleTasks.details(submission.id);
      expect(details.taskHash).to.equal(taskHash(module));
      expect(details.programHash).to.equal(module.programHash);
      expect(details.outputTreeRoot).to.equal(rootOfValue(value));
      const { outputPreimage } = await moduleTasks.outputPreimage(submission.id);
      expect(outputPreimage?.map(BigInt)).to.deep.equal(valueFelts(value));
      const path = `${server.url}/dashboard/submissions/${submission.id}`;
      const shown = (await raw(path, { headers: { "X-API-KEY": KEY } })).json();
      const { tasks, programs } = shown as SubmissionDetails;
      const { title, lines } = describeTask(task);
      expect(tasks[0]).to.deep.include({ title, lines, form: "module" });
      const result = { word: rootOfValue(value), value: value.toString(), spoken };
      expect(tasks[0]?.result).to.deep.include(JSON.parse(JSON.stringify(result)));
      expect(programs[0]?.about).to.equal(`${STANDARD_PROGRAMS[at]?.name}, a standard program`);
    });
  }
});

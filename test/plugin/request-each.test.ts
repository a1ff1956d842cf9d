import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";

import { asModule, blockSampled, header, taskHash, valueFelts } from "../../src/entries/request.js";
import { hdpFailure } from "../support/failure.js";
import { type ServiceProject, serviceProject } from "../support/service-project.js";
import type { Mishap, ServiceServer } from "../support/service-server.js";

const tasks = [1n, 2n, 3n].map((to) =>
  blockSampled({ from: 0n, to, property: header("gas_limit") }).avg(),
);
const hashes = tasks.map((task) => taskHash(asModule(task)));

describe("several tasks for a service that takes one a request", () => {
  let opened: ServiceProject;
  let connection: NetworkConnection<string>;
  let server: ServiceServer;

  beforeEach(async () => {
    opened = await serviceProject("module-tasks");
    ({ connection, server } = opened);
    await connection.hdp.mine(3);
    server.state.returned = valueFelts(7n);
    server.state.published = valueFelts(7n);
  });
  afterEach(async () => {
    await opened.close();
  });

  /** Has the request at a position end in a mishap, and all others accepted. */
  function mishapAt(position: number, mishap: Mishap): void {
    Object.defineProperty(server.state, "mishap", {
      configurable: true,
      get: () => (server.posts().length === position + 1 ? mishap : "none"),
    });
  }

  const sent = () => server.accepted.flatMap((one) => one.hashes);

  for (const position of [0, 1, 2]) {
    it(`sends what is left after a refusal of task ${String(position + 1)}, and nothing twice`, async () => {
      mishapAt(position, "refuse");
      const error = await hdpFailure(connection.hdp.submit(tasks, { rehearsal: false }));
      expect(error.message.includes(`${String(position)} of 3 tasks are accepted`)).to.equal(
        position > 0,
      );
      expect(sent()).to.deep.equal(hashes.slice(0, position));
      const results = await connection.hdp.run(tasks, { rehearsal: false });
      expect(results.map(({ taskHash: hash, value }) => [hash, value])).to.deep.equal(
        hashes.map((hash) => [hash, 7n]),
      );
      expect(sent()).to.deep.equal(hashes);
      expect(server.posts()).to.have.length(4);
    });

    it(`sends no task again where the answer for task ${String(position + 1)} is lost`, async () => {
      mishapAt(position, "drop");
      await hdpFailure(connection.hdp.submit(tasks, { rehearsal: false }));
      expect(sent()).to.deep.equal(hashes.slice(0, position + 1));
      mishapAt(9, "none");
      await hdpFailure(connection.hdp.submit(tasks, { rehearsal: false }));
      expect(sent()).to.deep.equal(hashes.slice(0, position + 1));
    });
  }

  it("sends a task once that is given twice, in either form", async () => {
    const [first, second] = tasks;
    if (first === undefined || second === undefined) throw new TypeError("no tasks");
    const results = await connection.hdp.run([first, asModule(first), first, second], {
      rehearsal: false,
    });
    expect(results.map(({ taskHash: hash }) => hash)).to.deep.equal(
      [0, 0, 0, 1].map((at) => hashes[at]),
    );
    expect(sent()).to.deep.equal(hashes.slice(0, 2));
  });
});

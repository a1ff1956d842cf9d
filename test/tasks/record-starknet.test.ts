import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { scaffoldModule } from "../../src/entries/program.js";
import { markedFelts } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { runCommand } from "../support/run-command.js";

describe("hdp record of a module that reads Starknet", () => {
  it("says that those values are unproven, and the recording replaces the node", async () => {
    const project = await mkdtemp(join(tmpdir(), "hdp-record-"));
    const node = createServer((_request, response) =>
      response.end('{ "jsonrpc": "2.0", "id": 1, "result": "0x2a" }'),
    );
    await new Promise<void>((done) => node.listen(0, "127.0.0.1", done));
    try {
      const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port.toString()}`;
      for (const folder of ["tasks", "target/dev"])
        await mkdir(join(project, folder), { recursive: true });
      await writeFile(join(project, "package.json"), '{ "type": "module" }');
      await writeFile(
        join(project, "tasks/task.json"),
        scaffoldModule("bridged", "bridge").get("tasks/bridged.json") ?? "",
      );
      for (const kind of ["contract_class", "compiled_contract_class"]) {
        const built = new URL(`../program/templates/m_bridge_Module.${kind}.json`, import.meta.url);
        await copyFile(built, join(project, "target/dev", `bridged_Module.${kind}.json`));
      }
      const hdp = { starknet: { STARKNET_SEPOLIA: { rpcUrl } } };
      const hre = await createHardhatRuntimeEnvironment(
        { plugins: [hardhatHdp], hdp },
        {},
        project,
      );
      const { stdout, error } = await runCommand(
        "record",
        { files: ["tasks/task.json"], out: "kept.json" },
        hre,
      );
      expect(error).to.equal(undefined);
      expect(stdout)
        .to.contain("STARKNET_SEPOLIA: 2 values, unproven")
        .and.to.contain("Block hashes in it, and Starknet's values, come from the nodes;");
      const { starknet } = JSON.parse(await readFile(join(project, "kept.json"), "utf8")) as {
        starknet: { storage: { value: string }[] }[];
      };
      expect(starknet.map(({ storage }) => storage.map(({ value }) => value))).to.deep.equal([
        ["0x2a", "0x2a"],
      ]);
      await new Promise((done) => node.close(done));
      const replayed = await runCommand(
        "module run",
        { file: "tasks/task.json", recording: "kept.json" },
        hre,
      );
      const [, , low, high] = markedFelts([0n, 0n, 42n, 42n]);
      expect(replayed.stdout, String(replayed.error)).to.contain(`"${low}", "${high}"`);
    } finally {
      node.close();
      await rm(project, { recursive: true });
    }
  });
});

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect } from "chai";

import { command, root } from "../support/hardhat-cli.js";
import { httpServer, sendJson } from "../support/odd-servers.js";

const recorder = pathToFileURL(join(root, "test", "support", "record-connects.mjs")).href;

describe("sockets", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-sockets-"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a script and returns what it printed and where it connected to. */
  async function connectsOf(
    script: string,
    ...args: string[]
  ): Promise<{ stdout: string; connects: string[] }> {
    const log = join(folder, `${args.length}-${Date.now()}.log`);
    await writeFile(log, "");
    // The tests' own arguments of Node load TypeScript.
    const node = ["--import", recorder, ...process.execArgv, script, ...args];
    const { code, stdout, stderr } = await command(process.execPath, node, {
      env: { HDP_CONNECT_LOG: log },
    });
    expect(code, stderr).to.equal(0);
    // Sockets of the file system are tsx's own, between its processes, where that loads TypeScript.
    const places = (await readFile(log, "utf8"))
      .split("\n")
      .filter((line) => line !== "" && !line.includes("/tsx-"));
    return { stdout, connects: [...new Set(places)] };
  }

  const flows = join(root, "test", "support", "flows.ts");

  it("opens none while everything is local", async () => {
    const { stdout, connects } = await connectsOf(flows, "local", folder);
    expect(stdout).to.equal("6");
    expect(connects).to.deep.equal([]);
  });

  it("opens one to the configured service, and to no other host", async () => {
    const uuid = "0b6e2c3a-7c1a-4f0e-9a44-1f1f8e0d2a11";
    const server = await httpServer(({ method }, response) => {
      sendJson(
        response,
        200,
        method === "POST" ? { uuid, message: "queued" } : { taskId: uuid, status: "Received" },
      );
    });
    try {
      const { stdout, connects } = await connectsOf(flows, server.url, folder);
      expect(stdout).to.equal("Received");
      expect(connects).to.deep.equal([`connect ${new URL(server.url).host}`]);
      expect(server.seen.map(({ method }) => method)).to.deep.equal(["GET", "POST", "GET"]);
    } finally {
      await server.close();
    }
  });

  it("would see one to another host", async () => {
    const script = join(folder, "other.mjs");
    await writeFile(script, 'await fetch("http://localhost:59999/").catch(() => undefined);\n');
    const { connects } = await connectsOf(script);
    expect(
      connects.some((place) => /^(lookup localhost|connect localhost:59999)$/.test(place)),
    ).to.equal(true);
  });
});

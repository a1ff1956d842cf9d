import { execFileSync } from "node:child_process";
import { mkdtemp, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";

import { expect } from "chai";

import { ProgramRegistryClient, HttpClient } from "../../src/entries/service.js";
import { readTextFile, readTextStream, systemErrorWord } from "../../src/base/files.js";
import { readKeystore } from "../../src/store/starknet/keystore.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { runCommand } from "../support/run-command.js";
import { rejection } from "../support/failure.js";

const MIB = 1024 * 1024;

describe("files that a person names", () => {
  let folder: string;
  let project: TestProject;
  const named = (name: string): string => join(folder, name);

  before(async function () {
    if (process.platform === "win32") this.skip();
    folder = await mkdtemp(join(tmpdir(), "hdp-files-"));
    project = await testProject({ networks: { dev: { type: "edr-simulated" } } }, folder);
    execFileSync("mkfifo", [named("pipe")]);
    await writeFile(named("long"), "");
    await truncate(named("long"), 16 * MIB + 1);
    await truncate(named("long"), 600 * MIB);
    await writeFile(named("text"), "grüße");
    await symlink(named("pipe"), named("link"));
  });
  after(async () => {
    await removeProject(project);
  });

  const odd = (): [string, string][] => [
    [folder, "it is a directory, not a file"],
    [named("pipe"), "it is a named pipe, not a file"],
    [named("link"), "it is a named pipe, not a file"],
    ["/dev/zero", "it is a device, not a file"],
    ["/dev/tty", "it is a device, not a file"],
    [named("long"), "it has 629,145,600 bytes, more than the 16 MiB that are read"],
    [named("none"), "ENOENT"],
  ];

  it("refuses files by what they are before it reads them, and otherwise reads them whole", async () => {
    for (const [path, words] of odd()) {
      expect(systemErrorWord(await rejection(readTextFile(path))), path).to.equal(words);
    }
    const server = createServer().listen(named("socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    expect(systemErrorWord(await rejection(readTextFile(named("socket"))))).to.equal(
      "it is a socket, not a file",
    );
    server.close();
    expect(await readTextFile(named("text"))).to.equal("grüße");
    await writeFile(named("whole"), "x".repeat(300_000));
    expect((await readTextFile(named("whole"), 300_000)).length).to.equal(300_000);
    expect(String(await rejection(readTextFile(named("whole"), 299_999)))).to.contain(
      "300,000 bytes",
    );
  });

  it("that say nothing of their length are read up to the limit", async function () {
    const text = await readTextFile("/proc/self/status").catch(() => undefined);
    if (text === undefined) return this.skip();
    expect(text).to.contain("Pid:");
    expect(systemErrorWord(await rejection(readTextFile("/proc/self/status", 100)))).to.match(
      /^it is longer than the /,
    );
    const stream = Readable.from([Buffer.from("gr\u00c3".slice(0, 2)), Buffer.from("üße")]);
    expect(await readTextStream(stream)).to.equal("grüße");
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(MIB);
      })(),
    );
    expect(systemErrorWord(await rejection(readTextStream(endless)))).to.equal(
      "it is longer than the 16 MiB that are read",
    );
  });

  /** Classes may be longer. */
  const commands: [string, (file: string) => Record<string, unknown>, string][] = [
    ["submit", (file) => ({ file }), "16 MiB"],
    ["check", (file) => ({ file }), "16 MiB"],
    ["hash", (file) => ({ file }), "16 MiB"],
    ["explain", (file) => ({ file }), "16 MiB"],
    ["verify", (task) => ({ task }), "16 MiB"],
    ["record", (file) => ({ files: [file], out: "out.json" }), "16 MiB"],
    ["module run", (file) => ({ file }), "16 MiB"],
    ["proof submit", (file) => ({ file }), "16 MiB"],
    ["grow-orders", (target) => ({ action: "create", target, yes: true }), "16 MiB"],
    ["program hash", (file) => ({ file }), "64 MiB"],
    ["program upload", (file) => ({ file }), "64 MiB"],
  ];
  for (const [name, args, most] of commands) {
    it(`refuses files that are named to hdp ${name} at once, whatever they are`, async () => {
      for (const [path, words] of odd()) {
        const began = Date.now();
        const { error, stdout, stderr } = await runCommand(name, args(path), project.hre);
        const said = `${String(error)}\n${stdout}\n${stderr}`;
        expect(Date.now() - began, path).to.be.lessThan(15_000);
        expect(said, `${name} ${path}`).to.contain(words.replace("16 MiB", most));
      }
    });
  }

  it("refuses them where fixtures, keystores and uploads are read, too", async () => {
    const { hdp } = await project.hre.network.create("dev");
    const registry = new ProgramRegistryClient({
      submit: new HttpClient({
        service: "the program registry",
        url: "http://127.0.0.1:9",
        apiKey: async () => await Promise.resolve("k"),
      }),
    });
    for (const [path, words] of odd().slice(0, 4)) {
      expect(String(await rejection(hdp.replay(path))), path).to.contain(words);
      expect(String(await rejection(readKeystore(path, "pw"))), path).to.contain(words);
      expect(String(await rejection(registry.upload({ path }))), path).to.contain(words);
    }
  });
});

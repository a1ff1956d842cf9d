import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import hardhatHdp from "../../src/index.js";
import { compiledJson } from "../program/classes.js";

/** What is behind a class's parts is not hashed, but makes it a large one. */
const LARGE = JSON.stringify(compiledJson({ debug: "x".repeat(600_000) }));
const OTHER = `0x${"7".repeat(63)}`;

describe("hashes of large classes", () => {
  let folder: string;
  let cached: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hdp-hashes-"));
    cached = join(folder, "cache", "hdp", "program-hashes.json");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "large.json"), LARGE);
    writeFileSync(join(folder, "small.json"), JSON.stringify(compiledJson()));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** As another process would register it. */
  async function register(file: string): Promise<string> {
    const { hdp } = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, folder);
    return await hdp.program.register(file);
  }

  function entries(): [string, string][] {
    return Object.entries(JSON.parse(readFileSync(cached, "utf8")) as Record<string, string>);
  }

  it("keeps hashes by their content's SHA-256, and takes them from there the next time", async () => {
    const hash = await register("large.json");
    expect(hash).to.equal(await register("small.json"));
    const key = createHash("sha256").update(LARGE).digest("hex");
    expect(entries()).to.deep.equal([[key, hash]]);
    writeFileSync(cached, JSON.stringify({ [key]: OTHER }));
    expect(await register("large.json"), "from the cache").to.equal(OTHER);
    writeFileSync(join(folder, "large.json"), `${LARGE} `);
    expect(await register("large.json"), "another content").to.equal(hash);
    expect(entries()).to.have.length(2);
  });

  it("computes hashes again where the cache is damaged, and writes it anew", async () => {
    const hash = await register("large.json");
    const good = readFileSync(cached, "utf8");
    const key = entries()[0]?.[0] ?? "";
    const wrong = [
      { [key]: "0x12g" },
      { [key]: "0x012" },
      { [key]: `0x${"f".repeat(65)}` },
      { [key]: 7 },
      [key],
      null,
    ];
    for (const text of [
      "",
      good.slice(0, -5),
      "\0".repeat(100),
      "x".repeat(100_000),
      ...wrong.map((json) => JSON.stringify(json)),
    ]) {
      writeFileSync(cached, text);
      expect(await register("large.json"), text.slice(0, 90)).to.equal(hash);
      expect(readFileSync(cached, "utf8")).to.equal(good);
    }
    expect(readdirSync(join(folder, "cache", "hdp"))).to.deep.equal(["program-hashes.json"]);
  });

  it("computes hashes where the cache cannot be written", async () => {
    writeFileSync(join(folder, "cache"), "a file where the folder should be");
    const hash = await register("large.json");
    expect(await register("small.json")).to.equal(hash);
    rmSync(join(folder, "cache"));
    mkdirSync(cached, { recursive: true });
    expect(await register("large.json")).to.equal(hash);
    expect(readdirSync(join(folder, "cache", "hdp"))).to.deep.equal(["program-hashes.json"]);
  });

  it("keeps hashes of the latest classes only", async () => {
    await register("large.json");
    const [own] = entries();
    const others = Array.from({ length: 64 }, (_, index) => [
      createHash("sha256").update(String(index)).digest("hex"),
      OTHER,
    ]);
    writeFileSync(cached, JSON.stringify(Object.fromEntries(others)));
    await register("large.json");
    expect(entries()).to.deep.equal([...others.slice(1), own]);
  });
});

import { expect } from "chai";

import { KEY, post, raw, served, type RawReply } from "./fixture.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "./small-class.js";

describe("development server: module registry", () => {
  const shared = served();

  async function upload(fields: Readonly<Record<string, string>>, key = KEY): Promise<RawReply> {
    const form = new FormData();
    form.append("module", new Blob([JSON.stringify(SMALL_CLASS)]), "module.json");
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return await raw(`${shared.server.url}/modules/upload`, {
      method: "POST",
      headers: { "X-API-KEY": key },
      body: form,
    });
  }
  const read = async (path: string): Promise<unknown> =>
    (await raw(`${shared.server.url}/modules${path}`)).json();

  it("stores versions of a module, whose classes are programs of the registry, and reads them without a key", async () => {
    const first = await upload({
      name: "average",
      version: "1.0.0",
      tags: "fees, evm",
      abi: "[]",
      license: "MIT",
      source_files: '{"src/lib.cairo":"mod a;"}',
    });
    expect(first.status).to.equal(201);
    const { id, createdAt, ...rest } = first.json() as Record<string, string>;
    expect(rest).to.deep.equal({
      programHash: SMALL_CLASS_HASH,
      compilerVersion: SMALL_CLASS.compiler_version,
      message: "Module uploaded successfully",
    });
    expect(shared.server.programs.get(SMALL_CLASS_HASH)?.hash).to.equal(SMALL_CLASS_HASH);
    const again = await upload({ name: "average", version: "1.0.0" });
    expect([again.status, again.json()]).to.deep.equal([
      400,
      { error: "Version 1.0.0 already exists for this module" },
    ]);
    const next = await upload({
      name: "average",
      version: "1.1.0",
      version_changelog: "Rounds half up",
    });
    expect((next.json() as { id: string }).id).to.equal(id);

    const module = await read(`/${id ?? ""}`);
    expect(module).to.deep.include({
      id,
      name: "average",
      latestModuleVersionProgramHash: SMALL_CLASS_HASH,
      createdAt,
      tags: ["fees", "evm"],
      license: "MIT",
      abi: [],
      sourceCode: { "src/lib.cairo": "mod a;" },
      publishedOnMarketplace: false,
      description: null,
      creatorUser: null,
      scarbToml: null,
    });
    expect(await read("")).to.deep.equal({ modules: [module] });
    expect(await read("?marketplace=true")).to.deep.equal({ modules: [] });
    const versions = (await read(`/${id ?? ""}/versions`)) as Record<string, unknown>[];
    expect(
      versions.map(({ version, versionChangelog }) => [version, versionChangelog]),
    ).to.deep.equal([
      ["1.0.0", null],
      ["1.1.0", "Rounds half up"],
    ]);
    expect(versions[0]).to.include({
      hash: SMALL_CLASS_HASH,
      moduleRegistryId: id,
      storageType: "db",
    });

    const change = async (body: object, headers: Record<string, string>): Promise<RawReply> =>
      await raw(`${shared.server.url}/modules/${id ?? ""}`, {
        method: "PATCH",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      });
    expect((await change({ description: "no key" }, {})).status).to.equal(401);
    const changed = await change(
      { description: "Averages fees", tags: ["fees"] },
      { "X-API-KEY": KEY },
    );
    expect(changed.json()).to.deep.include({
      description: "Averages fees",
      tags: ["fees"],
      license: "MIT",
    });
    expect(await read(`/${id ?? ""}`)).to.deep.equal(changed.json());
  });

  it("makes one module of two first versions that arrive together", async () => {
    const replies = await Promise.all(
      ["1.0.0", "2.0.0"].map(async (version) => await upload({ name: "both", version })),
    );
    expect(new Set(replies.map((reply) => (reply.json() as { id: string }).id)).size).to.equal(1);
  });

  it("answers unknown ids as published, and names the fields that do not fit", async () => {
    for (const path of ["/none", "/none/versions"]) {
      const reply = await raw(`${shared.server.url}/modules${path}`);
      expect([reply.status, reply.json()]).to.deep.equal([404, { error: "Module not found" }]);
    }
    expect((await upload({ name: "x", version: "1.0.0" }, "")).status).to.equal(401);
    expect((await upload({ version: "one" })).json()).to.deep.include({
      hints: ["name: Required", "version: expected a semantic version, such as 1.0.0"],
    });
    expect((await upload({ name: "x", version: "1.0.0", abi: "{" })).text).to.include(
      "abi: it is not JSON",
    );
    const long = await upload({ name: "x", version: "1.0.0", scarb_toml: "a".repeat(2 ** 20) });
    expect([long.status, (long.json() as { code: string }).code]).to.deep.equal([413, "HDP-4529"]);
    const wrong = await post(`${shared.server.url}/modules/upload`, {});
    expect(wrong.status).to.equal(400);
  });
});

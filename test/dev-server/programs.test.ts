import { expect } from "chai";

import {
  clients,
  testChain,
  KEY,
  raw,
  testServer,
  type RawReply,
  type TestServer,
} from "./fixture.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "./small-class.js";

describe("development server: program registry", () => {
  let server: TestServer;
  const text = `${JSON.stringify(SMALL_CLASS, null, 1)}\n`;
  const file = {
    name: "small.compiled_contract_class.json",
    content: new TextEncoder().encode(text),
  };

  before(async () => {
    server = await testServer(await testChain());
  });
  after(async () => {
    await server.close();
  });

  async function upload(part: string, content: string, accept = "*/*"): Promise<RawReply> {
    const body = new FormData();
    body.append(part, new Blob([content]), "x.json");
    const url = `${server.url}/submit-program?apiKey=${KEY}`;
    return await raw(url, { method: "POST", body, headers: { accept } });
  }

  it("stores a class by its hash and answers its metadata", async () => {
    const { registry } = clients(server.url);
    expect((await registry.upload(file)).programHash).to.equal(SMALL_CLASS_HASH);
    const { layout, version } = await registry.metadata(SMALL_CLASS_HASH);
    expect({ layout, version }).to.deep.equal({ layout: "recursive_with_poseidon", version: 2 });
  });

  it("answers the hash as text, and as JSON where that is accepted", async () => {
    for (const part of ["programFile", "program"]) {
      const reply = await upload(part, text);
      expect([reply.status, reply.text]).to.deep.equal([200, SMALL_CLASS_HASH]);
    }
    expect((await upload("programFile", text, "application/json")).json()).to.deep.equal({
      programHash: SMALL_CLASS_HASH,
    });
  });

  it("gives a stored class back byte for byte", async () => {
    await upload("programFile", text);
    const reply = await raw(`${server.url}/get-program?program_hash=${SMALL_CLASS_HASH}`);
    expect(reply.text).to.equal(text);
    expect(reply.headers.get("content-disposition")).to.equal(
      `attachment; filename="${SMALL_CLASS_HASH}.json"`,
    );
  });

  it("answers the larger layouts of classes with more builtins", async () => {
    for (const [builtin, layout] of [
      ["ec_op", "starknet"],
      ["keccak", "starknet_with_keccak"],
    ] as const) {
      const entryPoint = { selector: "0x1", offset: 0, builtins: [builtin] };
      const changed = {
        ...SMALL_CLASS,
        entry_points_by_type: { EXTERNAL: [entryPoint], L1_HANDLER: [], CONSTRUCTOR: [] },
      };
      const hash = (await upload("programFile", JSON.stringify(changed))).text;
      const reply = await raw(`${server.url}/get-metadata?program_hash=${hash}`);
      expect(reply.json()).to.deep.equal({ layout, version: 2 });
    }
  });

  it("finds a hash only as it was returned, and answers unknown ones as published", async () => {
    await upload("programFile", text);
    for (const hash of ["0x1", SMALL_CLASS_HASH.replace("0x", "0x0"), "nonsense"]) {
      const reply = await raw(`${server.url}/get-metadata?program_hash=${hash}`);
      expect([reply.status, reply.text]).to.deep.equal([500, ""]);
    }
    const missing = await raw(`${server.url}/get-metadata`);
    expect(missing.status).to.equal(400);
    expect(missing.text).to.include("program_hash");
    let failure: unknown;
    await clients(server.url)
      .registry.metadata("0x1")
      .catch((error: unknown) => (failure = error));
    expect(String(failure)).to.include("HDP-2041").and.include("0x1");
  });

  it("refuses forms without the part, other bodies, and files that are no compiled class", async () => {
    const codes = async (reply: RawReply): Promise<[number, unknown]> => [
      reply.status,
      ((await Promise.resolve(reply.json())) as { code: string }).code,
    ];
    expect(await codes(await upload("file", text))).to.deep.equal([400, "HDP-4517"]);
    expect(await codes(await upload("programFile", "{"))).to.deep.equal([400, "HDP-6001"]);
    expect(await codes(await upload("programFile", "{}"))).to.deep.equal([400, "HDP-7001"]);
    const url = `${server.url}/submit-program?apiKey=${KEY}`;
    expect(await codes(await raw(url, { method: "POST", body: text }))).to.deep.equal([
      400,
      "HDP-4517",
    ]);
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    expect(
      await codes(await raw(url, { method: "POST", body: "--x\r\nbroken", headers })),
    ).to.deep.equal([400, "HDP-4517"]);
    expect(
      (await raw(`${server.url}/submit-program`, { method: "POST", body: text })).status,
    ).to.equal(401);
  });
});

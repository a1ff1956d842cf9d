import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { KEY, served } from "./fixture.js";

/** The fuzzer of descriptions, of the Python registry: `SCHEMATHESIS`, or on the PATH. */
const FUZZER = process.env["SCHEMATHESIS"] ?? "schemathesis";
/** Why a request of the described form may be refused all the same: by what no JSON Schema says. */
const REFUSED_BY_CONTENT = {
  "/create_trie": "one value belongs to each key",
  "/modules/upload": "the file is a compiled class",
  "/submit-program": "the file is a compiled class",
  "/submit-batch": "a range ends where it begins or later, and its blocks are there",
  "/tasks": "as a batch; a program is known or comes along",
  "/tasks/decommitment": "a run without its output is known",
  "/tasks/{uuid}/retry": "the task has failed",
} as const;
const CONFIGURATION = Object.keys(REFUSED_BY_CONTENT)
  .map((path) =>
    [
      "[[operations]]",
      `include-path = "${path}"`,
      "checks.positive_data_acceptance.enabled = false",
    ].join("\n"),
  )
  .join("\n");
/**
 * What is not held: that a method without a route or a header left out is refused in the fuzzer's way, and that no 500 is
 * answered, which the registry of 2024 publishes for an unknown program.
 */
const NOT_HELD = [
  "not_a_server_error",
  "unsupported_method",
  "missing_required_header",
  "ignored_auth",
  "use_after_free",
  "ensure_resource_availability",
];

describe("development server: the description against a fuzzer", () => {
  const shared = served();

  it("describes replies and refusals as they are, for requests that it allows and forbids", async function () {
    const { url } = shared.server;
    const folder = await mkdtemp(join(tmpdir(), "hdp-fuzz-"));
    const configuration = join(folder, "schemathesis.toml");
    await writeFile(configuration, CONFIGURATION);
    const fuzzing = spawn(
      FUZZER,
      [
        "--config-file",
        configuration,
        "run",
        `${url}/openapi.json`,
        "--url",
        url,
        "--max-time",
        "25",
        "--seed",
        "1",
        "--exclude-checks",
        NOT_HELD.join(","),
        "--continue-on-failure",
        "--max-examples",
        "20",
        "--phases",
        "coverage,fuzzing",
        "--workers",
        "1",
        "--warnings",
        "off",
        "--no-color",
        "-H",
        `X-API-KEY: ${KEY}`,
        "-H",
        `api-key: ${KEY}`,
        "--generation-database",
        "none",
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const found = once(fuzzing, "spawn").then(
      () => true,
      () => false,
    );
    if (!(await found)) {
      await rm(folder, { recursive: true });
      return this.skip();
    }
    let output = "";
    for (const stream of [fuzzing.stdout, fuzzing.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [code] = (await once(fuzzing, "close")) as [number];
    await rm(folder, { recursive: true });
    expect(code, output).to.equal(0);
    expect(output).to.match(/[1-9]\d* generated/);
  });
});

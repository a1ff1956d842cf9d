import { spawn } from "node:child_process";
import { once } from "node:events";

import { expect } from "chai";

import { KEY, served } from "./fixture.js";

/** The fuzzer of descriptions, of the Python registry: `SCHEMATHESIS`, or on the PATH. */
const FUZZER = process.env["SCHEMATHESIS"] ?? "schemathesis";
/** What is held: the description is true of replies, and of which requests are accepted and refused. */
const CHECKS = [
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
];

describe("development server: the description against a fuzzer", function () {
  this.timeout(90_000);
  const shared = served();

  it("is true of replies and of what is refused, for requests that it allows and forbids", async function () {
    const { url } = shared.server;
    const fuzzing = spawn(
      FUZZER,
      [
        ...["run", `${url}/openapi.json`, "--url", url, "--max-time", "25", "--seed", "1"],
        ...["--checks", CHECKS.join(","), "--continue-on-failure", "--max-examples", "20"],
        ...["--phases", "coverage,fuzzing", "--workers", "1", "--warnings", "off", "--no-color"],
        ...["-H", `X-API-KEY: ${KEY}`, "-H", `api-key: ${KEY}`, "--generation-database", "none"],
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const found = once(fuzzing, "spawn").then(
      () => true,
      () => false,
    );
    if (!(await found)) return this.skip();
    let output = "";
    for (const stream of [fuzzing.stdout, fuzzing.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [code] = (await once(fuzzing, "close")) as [number];
    expect(code, output).to.equal(0);
    expect(output).to.match(/[1-9]\d* generated/);
  });
});

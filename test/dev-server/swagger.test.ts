import { expect } from "chai";
import type { Page } from "playwright-core";

import { AGGREGATE_FUNCTIONS, FIELD_NAMES, TRANSACTION_TYPES } from "../../src/request/fields.js";
import { CHAIN_IDENTIFIERS } from "../../src/request/chains.js";
import { OPERATORS } from "../../src/request/task.js";
import { BATCH_STATES } from "../../src/service/data-processor/editions.js";
import { MODULE_TASK_STATES } from "../../src/service/data-processor/module-tasks-edition.js";
import { type BrowserPage, openBrowser } from "../support/chromium.js";
import { frontChain, raw, testFront, type TestFront } from "./fixture.js";

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { security?: object[]; requestBody?: object }>>>>;
  readonly components: { readonly securitySchemes: object };
}

describe("local front: description", () => {
  let front: TestFront;

  before(async () => {
    front = await testFront(await frontChain());
  });
  after(async () => {
    await front.close();
  });

  it("describes every endpoint as an OpenAPI document", async () => {
    const document = (await raw(`${front.url}/openapi.json`)).json() as OpenApi;
    expect(document.openapi).to.equal("3.0.3");
    const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(endpoints).to.have.members([
      "POST /tasks",
      "GET /tasks",
      "GET /tasks/{uuid}/status",
      "GET /tasks/{uuid}/details",
      "GET /tasks/{uuid}/mmrs",
      "GET /tasks/{uuid}/output_preimage",
      "GET /tasks/{uuid}/state_transitions",
      "POST /tasks/{uuid}/retry",
      "POST /submit-batch",
      "GET /batch-query/{batchId}",
      "POST /submit-program",
      "GET /get-metadata",
      "GET /get-program",
      "POST /submit-request",
      "GET /get_queries/{request_id}",
      "GET /get_actions/{query_id}",
      "GET /grow-orders",
      "POST /grow-orders",
      "GET /grow-orders/{id}",
      "POST /grow-orders/{id}/cancel",
      "POST /create_trie",
      "GET /read",
      "POST /write",
      "POST /get_state_proofs",
      "GET /get_trie_root_node_idx",
      "GET /is-alive",
    ]);
    expect(document.components.securitySchemes).to.deep.equal({
      "X-API-KEY": { type: "apiKey", in: "header", name: "X-API-KEY" },
      apiKey: { type: "apiKey", in: "query", name: "apiKey" },
      "api-key": { type: "apiKey", in: "header", name: "api-key" },
    });
    expect(document.paths["/submit-batch"]?.["post"]?.security).to.deep.equal([{ apiKey: [] }]);
    expect(document.paths["/is-alive"]?.["get"]?.security).to.equal(undefined);
    const { content } = document.paths["/submit-batch"]?.["post"]?.requestBody as {
      content: { "application/json": { schema: { required: string[] } } };
    };
    expect(content["application/json"].schema.required).to.deep.equal(["destinationChainId", "tasks"]);
  });

  it("names every field and enum of the specification, and where a key may be sent", async () => {
    const document = (await raw(`${front.url}/openapi.json`)).json() as OpenApi;
    const bodies = ["/tasks", "/submit-batch"].map((path) =>
      JSON.stringify(document.paths[path]?.["post"]?.requestBody),
    );
    const words = [
      ...["destinationChainId", "tasks", "type", "DatalakeCompute", "Module", "datalake", "compute", "programHash"],
      ...["inputs", "visibility", "public", "private", "value", "BlockSampled", "chainId", "blockRangeStart"],
      ...["blockRangeEnd", "increment", "sampledProperty", "TransactionsInBlock", "targetBlock", "startIndex"],
      ...["endIndex", "includedTypes", "aggregateFnId", "aggregateFnCtx", "operator", "operatorId", "valueToCompare"],
      ...["SN_SEPOLIA", "header.{field}", "account.{address}.{field}", "storage.{address}.{slot}", "tx.{field}"],
      ...[...CHAIN_IDENTIFIERS, ...AGGREGATE_FUNCTIONS, ...OPERATORS, ...TRANSACTION_TYPES],
      ...Object.values(FIELD_NAMES).flat(),
    ];
    for (const body of bodies) for (const name of words) expect(body).to.contain(name);
    const batch = JSON.stringify(document.paths["/batch-query/{batchId}"]);
    for (const name of [...BATCH_STATES, "dataProcessorQuery", "aggregateFn", "datalakeHash", "resultSerialized"]) {
      expect(batch).to.contain(`"${name}"`);
    }
    const status = document.paths["/tasks/{uuid}/status"]?.["get"];
    for (const name of MODULE_TASK_STATES) expect(JSON.stringify(status)).to.contain(`"${name}"`);
    // The specification sends the key here; the published documents read module tasks without.
    expect(status?.security).to.deep.equal([{ "X-API-KEY": [] }, {}]);
    expect(document.paths["/batch-query/{batchId}"]?.["get"]?.security).to.deep.equal([{ apiKey: [] }, {}]);
  });

  it("sends /swagger on to the page", async () => {
    const reply = await raw(`${front.url}/swagger`);
    expect([reply.status, reply.headers.get("location")]).to.deep.equal([308, "/swagger/"]);
  });

  describe("in a browser", () => {
    let browser: BrowserPage | undefined;
    let page: Page;
    let complaints: string[];

    before(async function () {
      this.timeout(60_000);
      browser = await openBrowser(front.url);
      if (browser === undefined) this.skip();
      ({ page, complaints } = browser);
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
    });
    after(async () => {
      await browser?.close();
    });

    async function send(endpoint: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
      const section = page.locator(`[data-endpoint="${endpoint}"]`);
      await section.locator("summary").first().click();
      for (const [name, value] of Object.entries(fields)) await section.locator(`[name="${name}"]`).fill(value);
      await section.locator("button").click();
      const output = section.locator('pre[data-state="done"]');
      await output.waitFor({ timeout: 20_000 });
      return (await output.textContent()) ?? "";
    }

    it("loads without anything from elsewhere, and sends requests with the key", async () => {
      await page.goto(`${front.url}/swagger/`);
      await page.locator('body[data-state="ready"]').waitFor({ timeout: 20_000 });
      expect(await page.locator("[data-endpoint]").count()).to.equal(26);
      expect(await send("GET /is-alive"))
        .to.match(/^200 OK/)
        .and.include('"message": "Alive!"');

      const accepted = await send("POST /tasks");
      expect(accepted).to.match(/^200 OK/);
      const uuid = /"uuid": "([^"]+)"/.exec(accepted)?.[1] ?? "";
      expect(await send("GET /tasks/{uuid}/status", { uuid }))
        .to.match(/^200 OK/)
        .and.include(uuid);
      expect(await send("POST /submit-batch", { body: "{" }))
        .to.match(/^400 /)
        .and.include("HDP-4517");
      const shot = process.env["FRONT_SCREENSHOT"];
      if (shot !== undefined) await page.screenshot({ path: shot, fullPage: true });
      // A browser notes the answer 400 as an error of its own.
      expect(complaints.filter((text) => !text.includes("400"))).to.deep.equal([]);
    }).timeout(60_000);
  });
});

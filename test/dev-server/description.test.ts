import { Ajv, type ValidateFunction } from "ajv";
import { expect } from "chai";
import type { Page } from "playwright-core";

import { CHAIN_IDENTIFIERS, OPERATORS } from "../../src/entries/request.js";
import { AGGREGATE_FUNCTIONS, TRANSACTION_TYPES } from "../../src/request/fields.js";
import { supportedFields } from "../../src/request/field-support.js";
import { BATCH_STATES, MODULE_TASK_STATES } from "../../src/service/data-processor/editions.js";
import { type BrowserPage, openBrowser } from "../support/chromium.js";
import { openApiText } from "../../scripts/openapi.js";
import { headerTask, KEY, post, raw, served } from "./fixture.js";

interface Operation {
  readonly security?: object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: object };
}

describe("development server: description", () => {
  const shared = served();

  it("describes every endpoint as an OpenAPI document", async () => {
    const document = (await raw(`${shared.server.url}/openapi.json`)).json() as OpenApi;
    expect(document.openapi).to.equal("3.1.0");
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
      "POST /tasks/decommitment",
      "POST /submit-batch",
      "GET /batch-query/{batchId}",
      "POST /submit-program",
      "GET /get-metadata",
      "GET /get-program",
      "POST /modules/upload",
      "GET /modules",
      "GET /modules/{id}",
      "PATCH /modules/{id}",
      "GET /modules/{id}/versions",
      "POST /modules/{id}/publish",
      "POST /modules/{id}/unpublish",
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
      "GET /block-ranges/get-all-ranges-accumulated-per-chain",
      "GET /auth/web3/challenge",
      "POST /auth/web3/session",
      "GET /api-keys",
      "GET /is-alive",
    ]);
    expect(document.components.securitySchemes).to.deep.equal({
      "X-API-KEY": { type: "apiKey", in: "header", name: "X-API-KEY" },
      apiKey: { type: "apiKey", in: "query", name: "apiKey" },
      "api-key": { type: "apiKey", in: "header", name: "api-key" },
      authorization: { type: "http", scheme: "bearer" },
    });
    expect(document.paths["/submit-batch"]?.["post"]?.security).to.deep.equal([{ apiKey: [] }]);
    expect(document.paths["/is-alive"]?.["get"]?.security).to.equal(undefined);
    const { content } = document.paths["/submit-batch"]?.["post"]?.requestBody as {
      content: { "application/json": { schema: { required: string[] } } };
    };
    expect(content["application/json"].schema.required).to.deep.equal([
      "destinationChainId",
      "tasks",
    ]);
  });

  it("serves the document that npm run schema writes", async () => {
    expect((await raw(`${shared.server.url}/openapi.json`)).text).to.equal(await openApiText());
  });

  it("describes replies and parameters as they are: statuses, texts, labels of tries, and blocks by number alone", async () => {
    const { url } = shared.server;
    const text = (await raw(`${url}/openapi.json`)).text;
    const { paths } = JSON.parse(text) as {
      readonly paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    const statusesOf = (path: string, method: string): readonly string[] =>
      Object.keys(paths[path]?.[method]?.["responses"] ?? {});
    expect(statusesOf("/modules/upload", "post")).to.deep.equal(["201", "4XX"]);
    expect(statusesOf("/get-metadata", "get")).to.deep.equal(["200", "400", "500", "4XX"]);
    for (const [path, status] of [
      ["/get-metadata", 400],
      ["/get-program?program_hash=0x1", 500],
    ] as const)
      expect((await raw(url + path)).status).to.equal(status);
    const formOf = (path: string, name: string): unknown =>
      (paths[path]?.["get"]?.["parameters"] as { name: string; schema: unknown }[]).find(
        (one) => one.name === name,
      )?.schema;
    expect(formOf("/tasks", "hdp_tasks_page")).to.deep.equal({
      type: "integer",
      minimum: 1,
      default: 1,
    });
    expect(formOf("/read", "key")).to.deep.equal({
      type: "string",
      pattern: String.raw`^(0x[0-9a-fA-F]{1,64}|\d{1,77})$`,
    });
    expect(text).to.contain("trie_label");
    expect(text).to.not.contain("latest|safe|finalized");
  });

  it("describes task requests as the server takes them", async () => {
    const document = (await raw(`${shared.server.url}/openapi.json`)).json() as OpenApi;
    const validator = new Ajv({ strict: false });
    validator.addSchema(document, "openapi");
    const schemaOf = (path: string): ValidateFunction =>
      validator.compile({
        $ref: `openapi#/paths/${path.replaceAll("/", "~1")}/post/requestBody/content/application~1json/schema`,
      });
    const [tasks, batch] = [schemaOf("/tasks"), schemaOf("/submit-batch")];
    const [task] = headerTask(1)["tasks"] as { compute: object }[];
    const counting = (context: object): object => ({
      ...headerTask(1),
      tasks: [{ ...task, compute: { aggregateFnId: "count", aggregateFnCtx: context } }],
    });
    const injected = {
      type: "Module",
      programHash: "0x1",
      inputs: [],
      injected_state: { votes: "0x0" },
    };
    for (const request of [
      headerTask(1),
      counting({ operatorId: "gt", valueToCompare: 1 }),
      {
        ...headerTask(1),
        tasks: [
          {
            ...task,
            compute: {
              aggregateFnId: "sum",
              aggregateFnCtx: { operator: "none", valueToCompare: 0 },
            },
          },
        ],
      },
      { ...headerTask(1), tasks: [injected] },
    ]) {
      const { text } = await post(`${shared.server.url}/submit-batch?apiKey=${KEY}`, request);
      expect(
        [!text.includes("HDP-1"), tasks(request), batch(request)],
        JSON.stringify(request),
      ).to.deep.equal([true, true, true]);
    }
    for (const request of [
      {},
      { ...headerTask(1), tasks: [] },
      { ...headerTask(1), tasks: [{ type: "Mars" }] },
    ]) {
      expect(batch(request), JSON.stringify(request)).to.equal(false);
    }
    expect(
      tasks({ destination_chain_id: "0xaa36a7", input: { params: ["0x1"] }, program_hash: "0x1" }),
    ).to.equal(true);
  });

  it("names every field and enum of the specification, and where a key may be sent", async () => {
    const document = (await raw(`${shared.server.url}/openapi.json`)).json() as OpenApi;
    const bodies = ["/tasks", "/submit-batch"].map((path) =>
      JSON.stringify([document.paths[path]?.["post"]?.requestBody, document.components]),
    );
    const words = [
      "destinationChainId",
      "tasks",
      "type",
      "DatalakeCompute",
      "Module",
      "datalake",
      "compute",
      "programHash",
      "inputs",
      "visibility",
      "public",
      "private",
      "value",
      "BlockSampled",
      "chainId",
      "blockRangeStart",
      "blockRangeEnd",
      "increment",
      "sampledProperty",
      "TransactionsInBlock",
      "targetBlock",
      "startIndex",
      "endIndex",
      "includedTypes",
      "aggregateFnId",
      "aggregateFnCtx",
      "operator",
      "operatorId",
      "valueToCompare",
      "SN_SEPOLIA",
      "header.{field}",
      "account.{address}.{field}",
      "storage.{address}.{slot}",
      "tx.{field}",
      ...CHAIN_IDENTIFIERS,
      ...AGGREGATE_FUNCTIONS,
      ...OPERATORS,
      ...TRANSACTION_TYPES,
      ...supportedFields("header"),
    ];
    for (const body of bodies) for (const name of words) expect(body).to.contain(name);
    const batch = JSON.stringify(document.paths["/batch-query/{batchId}"]);
    for (const name of BATCH_STATES) {
      expect(batch).to.contain(`"${name}"`);
    }
    const status = document.paths["/tasks/{uuid}/status"]?.["get"];
    for (const name of MODULE_TASK_STATES) expect(JSON.stringify(status)).to.contain(`"${name}"`);
    // The specification sends the key here; the published documents read module tasks without.
    expect(status?.security).to.deep.equal([{ "X-API-KEY": [] }, {}]);
  });

  it("sends /swagger on to the page", async () => {
    const reply = await raw(`${shared.server.url}/swagger`);
    expect([reply.status, reply.headers.get("location")]).to.deep.equal([308, "/swagger/"]);
  });

  describe("in a browser", () => {
    let browser: BrowserPage | undefined;
    let page: Page;
    let complaints: string[];

    before(async function () {
      this.timeout(60_000);
      browser = await openBrowser(shared.server.url);
      if (browser === undefined) this.skip();
      ({ page, complaints } = browser);
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
    });
    after(async () => {
      await browser?.close();
    });

    async function send(
      endpoint: string,
      fields: Readonly<Record<string, string>> = {},
    ): Promise<string> {
      const section = page.locator(`[data-endpoint="${endpoint}"]`);
      await section.locator("summary").first().click();
      for (const [name, value] of Object.entries(fields))
        await section.locator(`[name="${name}"]`).fill(value);
      await section.locator("button").click();
      const output = section.locator('pre[data-state="done"]');
      await output.waitFor({ timeout: 20_000 });
      return (await output.textContent()) ?? "";
    }

    it("loads without anything from elsewhere, and sends requests with the key", async () => {
      await page.goto(`${shared.server.url}/swagger/`);
      await page.locator('body[data-state="ready"]').waitFor({ timeout: 20_000 });
      const document = (await raw(`${shared.server.url}/openapi.json`)).json() as OpenApi;
      const operations = Object.values(document.paths).flatMap((one) => Object.keys(one));
      expect(await page.locator("[data-endpoint]").count()).to.equal(operations.length);
      expect(await send("GET /is-alive"))
        .to.match(/^200 OK/)
        .and.include('"message": "Alive!"');

      // As it is filled in: paging values that are left empty are not sent.
      expect(await send("GET /tasks")).to.match(/^200 OK/);
      const accepted = await send("POST /tasks");
      expect(accepted).to.match(/^200 OK/);
      const uuid = /"uuid": "([^"]+)"/.exec(accepted)?.[1] ?? "";
      expect(await send("GET /tasks/{uuid}/status", { uuid }))
        .to.match(/^200 OK/)
        .and.include(uuid);
      await page.getByRole("link", { name: "Link to GET /tasks/{uuid}/status" }).click();
      expect(new URL(page.url()).hash).to.equal("#get-tasks-uuid-status");
      expect(await page.getByRole("link", { name: "Dashboard" }).getAttribute("href")).to.equal(
        "/",
      );
      const replies = Object.values(document.paths).flatMap((one) =>
        Object.values(one).flatMap(({ responses }) =>
          Object.values(responses).flatMap(({ content = {} }) => Object.keys(content)),
        ),
      );
      expect(await page.locator('summary:text-matches("^Example of")').count()).to.equal(
        replies.length,
      );
      const example = page
        .locator('[data-endpoint="GET /tasks/{uuid}/status"]')
        .getByLabel("Example of 200, application/json");
      expect(JSON.parse((await example.textContent()) ?? "")).to.have.property("status");
      expect(await send("POST /submit-batch", { body: "{" }))
        .to.match(/^400 /)
        .and.include("HDP-4517");
      const shot = process.env["SERVER_SCREENSHOT"];
      if (shot !== undefined) await page.screenshot({ path: shot, fullPage: true });
      // A browser notes the answer 400 as an error of its own.
      expect(complaints.filter((text) => !text.includes("400"))).to.deep.equal([]);
    }).timeout(60_000);
  });
});

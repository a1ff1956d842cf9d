import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

import { expect } from "chai";
import type { Page } from "playwright-core";

import type { InspectedModule } from "../../src/plugin/local-node.js";
import { runPage } from "../../src/tasks/ui/run-page.js";

import { type BrowserPage, openBrowser } from "../support/chromium.js";
import { type RunningNode, runNode } from "../support/running-node.js";
import { FaultQueue } from "../../src/entries/faults.js";
import {
  clients,
  headerTask,
  KEY,
  post,
  type TestChain,
  testChain,
  testServer,
  type TestServer,
} from "./fixture.js";
import { SMALL_CLASS } from "./small-class.js";

/** How far the page scrolls sideways. */
const BEYOND = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
/** Whether anything was drawn on the canvas of the chart. */
const DRAWN = `(() => {
  const canvas = document.querySelector(".chart canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(data).size;
})()`;
/** A page that does not hear the first message to it, as one whose channel the browser does not have yet. */
const DEAF_AT_FIRST = `window.BroadcastChannel = class extends BroadcastChannel {
  set onmessage(hear) {
    let isFirst = true;
    super.onmessage = (event) => {
      if (!isFirst) hear(event);
      isFirst = false;
    };
  }
}`;
/** The page's colour, with those of the current tab's line and of each mark of the time line. */
const FORCED = `[
  getComputedStyle(document.body).backgroundColor,
  getComputedStyle(document.querySelector(".bar nav a[aria-current]")).borderBottomColor,
  ...[...document.querySelectorAll(".timeline li")].map((one) => getComputedStyle(one, "::before").backgroundColor),
]`;
/** The rules of axe-core that the page breaks, with the elements: those that are on by default, and names of buttons. */
const BROKEN_RULES = `axe.run(document, {
  resultTypes: ["violations"],
  rules: { "label-content-name-mismatch": { enabled: true } },
}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html.slice(0, 150)).join(" ")))`;

/** Copies the only submission of a data folder under other ids, `copy-1` the oldest of them. */
function copySubmission(dataDir: string, copies: number): void {
  const database = new DatabaseSync(join(dataDir, "dev-server.db"));
  database.exec(`
    WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${String(copies)})
    INSERT INTO task (id, task, listed, request, searched, title, phase)
    SELECT 'copy-' || n, json_set(task, '$.id', 'copy-' || n), listed, request, 'copy-' || n, title, phase FROM task, copy`);
  database.close();
}

describe("the dashboard of hdp:node in a browser", () => {
  let node: RunningNode;
  let browser: BrowserPage | undefined;
  let page: Page;
  let complaints: string[];
  /** A chain for servers without a node. */
  let chain: TestChain;
  /** The script of axe-core. */
  let axe: string;

  before(async function () {
    browser = await openBrowser("http://127.0.0.1");
    if (browser === undefined) this.skip();
    ({ page, complaints } = browser);
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) complaints.push(message.text());
    });
    axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    [node, chain] = await Promise.all([runNode(["--api-key", KEY]), testChain()]);
  });
  after(async () => {
    await browser?.close();
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- skipped without a browser
    await node?.interrupt();
  });

  const submit = async (body: unknown): Promise<void> => {
    const { status, text } = await post(`${node.server}/tasks`, body);
    expect(status, text).to.equal(200);
  };
  const text = async (selector: string): Promise<string> =>
    (await page.locator(selector).first().textContent()) ?? "";

  /** Checks the open view at three widths in both colour schemes, of which the page keeps the last. */
  const expectAccessible = async (view: string): Promise<void> => {
    await page.evaluate(axe);
    for (const width of [360, 768, 1280]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        const place = `${view} ${String(width)} ${colorScheme}`;
        // A chart is drawn anew for the width.
        await page
          .waitForFunction(`${BEYOND} === 0`, undefined, { timeout: 10_000 })
          .catch(() => expect.fail(`${place} scrolls sideways`));
        const broken = await page.evaluate<readonly string[]>(BROKEN_RULES);
        expect(broken, place).to.deep.equal([]);
      }
    }
  };

  it("asks for the key, and shows nothing without it", async () => {
    await submit(headerTask(1, "gas_limit", "max"));
    await page.goto(`${node.server}/`);
    await page.getByLabel("API key").fill("other");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("alert").waitFor();
    expect(await text("body"))
      .not.to.contain("gas_limit")
      .and.not.contain("0x");
    await expectAccessible("the form for the key");
    await page.getByLabel("API key").fill(KEY);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("link", { name: "maximum of header.gas_limit" }).waitFor();
  });

  it("shows a submission as it appears, moves and ends, and its samples as a chart that keys walk along", async () => {
    const row = page.locator("tr", { hasText: "average of header.base_fee_per_gas" });
    expect(await row.count()).to.equal(0);
    await submit(headerTask(1, "base_fee_per_gas", "avg"));
    await row.getByText("Finalized").waitFor();
    expect(await row.locator(".result").textContent()).to.match(/^[\d.]+ gwei on average$/);
    await row.getByRole("link").click();
    await page.locator(".chart canvas").waitFor();
    expect(await text("h1")).to.equal("average of header.base_fee_per_gas");
    expect(await page.locator(".timeline li").allTextContents()).to.have.lengthOf(5);
    expect(await page.evaluate(DRAWN)).to.be.above(10);
    expect(await text(".run .facts"))
      .to.contain("All values proven")
      .and.contain("the head of the node's own chain");
    await page.locator(".chart [role=group]").focus();
    await page.keyboard.press("Home");
    expect(await text(".chart output")).to.match(
      /^block 0: [\d.]+ gwei, proven\. average so far: /,
    );
    await page.keyboard.press("ArrowRight");
    expect(await text(".chart output")).to.match(/^block 1: /);
    await page.getByText("samples as a table").click();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const [header, first] = (await readFile(await (await saved).path(), "utf8")).split("\n");
    expect(header).to.equal("block,value,average so far,proven");
    expect(first).to.match(/^0,(\d+),\1,true$/);
    const savedJson = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as JSON" }).click();
    const json = JSON.parse(await readFile(await (await savedJson).path(), "utf8")) as object;
    expect(json).to.include({ unit: "block", aggregate: "average" });
    await page.emulateMedia({ forcedColors: "active" });
    const [canvas, ...marks] = await page.evaluate<string[]>(FORCED);
    expect(marks).to.have.lengthOf(6).and.not.include(canvas);
    await page.emulateMedia({ forcedColors: "none" });
    await page.getByText("Read it").click();
    expect(await text(".calls")).to.match(
      /HdpResults\.requireValue\(0x[0-9a-fA-F]{40}, HdpTask\(0x[0-9a-f]{64}, HdpForm\.Datalake\), \d+\)/,
    );
  });

  it("keeps the view and takes the next click when the link to the content is used, and opens with any address", async () => {
    const skip = page.getByRole("link", { name: "Skip to the content" });
    // The first key leads to it, the next ones to the views.
    await page.reload();
    await page.locator(".bar nav a").first().waitFor();
    const focused: unknown[] = [];
    for (let key = 0; key < 4; key += 1) {
      await page.keyboard.press("Tab");
      focused.push(await page.evaluate("document.activeElement.textContent.replace(/\\d+$/, '')"));
    }
    expect(focused).to.deep.equal([
      "Skip to the content",
      "hardhat-hdp",
      "Submissions",
      "Programs",
    ]);
    const view = page.url();
    await skip.focus();
    await page.keyboard.press("Enter");
    expect(page.url()).to.equal(view);
    expect(await page.evaluate("document.activeElement.id")).to.equal("content");
    await skip.focus();
    await page.getByRole("main").getByRole("link", { name: "Submissions" }).click();
    await page.locator("h1", { hasText: "Submissions" }).waitFor();
    await page.goto("about:blank");
    await page.goto(`${node.server}/#/submissions/%`);
    await page.locator("h1", { hasText: /No such submission|Submissions/ }).waitFor();
  });

  it("injects, stops and releases faults by its buttons, and says what is wrong with one", async () => {
    await page.getByRole("link", { name: /^Faults/ }).click();
    await page.getByRole("combobox").selectOption("http-burst");
    await page.getByRole("textbox").fill("200:1");
    await page.getByRole("button", { name: "Inject" }).click();
    await page.getByRole("alert").getByText("http-burst:<429|500|502|503|504>:<calls>").waitFor();
    await page.getByRole("textbox").fill("503:1000");
    await page.getByRole("button", { name: "Inject" }).click();
    await page.getByRole("button", { name: "Stop http-burst:503:1000" }).click();
    await page.getByText("No fault waits").waitFor();
    await page.getByRole("combobox").selectOption("stuck-at");
    await page.getByRole("button", { name: "Inject" }).click();
    await page.getByText("stuck-at:CachedMmrRoot").waitFor();
    await submit(headerTask(1, "timestamp", "min"));
    await page.getByRole("button", { name: "Release minimum of header.timestamp" }).click();
    await page.getByText("No submission is held").waitFor();
    await page.getByRole("link", { name: /^Submissions/ }).click();
    await page.locator("tr", { hasText: "header.timestamp" }).getByText("Finalized").waitFor();
  });

  it("runs a task that is chosen in its form, and says what is wrong with one", async () => {
    await page.getByRole("link", { name: "New task" }).click();
    await page.getByLabel("Field").selectOption("gas_used");
    await page.getByLabel("Function").selectOption("sum");
    await page.getByLabel("Last block").fill("none");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("alert").getByText('"none" is not an integer').waitFor();
    await page.getByLabel("Last block").fill("0");
    await page.getByRole("button", { name: "Run" }).click();
    const row = page.locator("tr", { hasText: "sum of header.gas_used" });
    await row.getByText("Finalized").waitFor();
  });

  it("shows hostile names and failures as text", async () => {
    const hostile = '<img src=x onerror="document.title=1">\u202e</script><b>';
    await post(`${node.server}/dashboard/faults`, { faults: `fails-at:Received:${hostile}` });
    await submit(headerTask(0, "nonce", "max"));
    await page.getByText('<img src=x onerror="document.title=1">').first().waitFor();
    expect(await page.locator("td img, td b").count()).to.equal(0);
    await post(`${node.server}/dashboard/faults`, { faults: `stuck-at:__proto__` });
    await submit(headerTask(0, "difficulty", "max"));
    await page.getByText("__proto__, held").waitFor();
    await page.goto(`${node.server}/#/submissions/<img src=x>`);
    await page.getByRole("heading", { name: "No such submission" }).waitFor();
  });

  it("finds submissions by words and state in the address, and shows one that the address names", async () => {
    await page.setViewportSize({ width: 1280, height: 844 });
    const { tasks, ...request } = headerTask(99_999, "gas_used", "min") as { tasks: unknown[] };
    await submit({ ...request, tasks: Array.from({ length: 120 }, () => tasks[0]) });
    await page.goto(`${node.server}/#/submissions?search=minimum+of+header.gas_used`);
    await page.getByRole("link", { name: "minimum of header.gas_used and 119 more" }).click();
    const help = page.getByRole("link", { name: "What this error means, and the next step" });
    expect(await help.getAttribute("href")).to.match(/docs\/errors\/processor\.md#hdp-4101$/);
    expect(await page.locator("section.task").count()).to.equal(50);
    await page.getByRole("button", { name: "Show 50 of 70 more tasks" }).click();
    await page.getByRole("button", { name: "Show 20 of 20 more tasks" }).click();
    expect(await page.locator("section.task").count()).to.equal(120);
    await page.goto(`${node.server}/#/submissions?search=base_fee`);
    await page.locator("tbody tr").first().waitFor();
    expect(await page.locator("tbody tr").count()).to.equal(1);
    await page.getByLabel("State").selectOption("failed");
    await page.getByText("No submission is selected").waitFor();
    expect(page.url()).to.contain("state=failed");
    await page.getByRole("searchbox").fill("");
    await page.locator("tr", { hasText: "maximum of header.nonce" }).getByRole("link").click();
    await page.getByRole("link", { name: "What this error means" }).waitFor({ state: "detached" });
    await page.getByText("Request as JSON").click();
    expect(await text("pre")).to.contain('"sampledProperty": "header.nonce"');
    await page.getByRole("button", { name: "Submit again" }).click();
    await page.locator(".state.finalized").waitFor();
    await page.getByText("1 other submissions of this task").click();
    await page.getByRole("link", { name: /^Compare with / }).click();
    await page.locator("h1", { hasText: "Two submissions" }).waitFor();
    await page.locator(".compare .differs").first().waitFor();
    const differing = await page.locator(".compare .differs th").allTextContents();
    expect(differing.slice(0, 2)).to.deep.equal(["Iddiffers", "Statediffers"]);
    expect(await text(".compare tr:has-text('Word')")).to.match(/0x[0-9a-f]+…[0-9a-f]+none$/);
    expect(
      await page.locator(".compare tr", { hasText: "Task hash" }).getAttribute("class"),
    ).to.equal(null);
    expect(await page.evaluate(BEYOND)).to.equal(0);
  });

  it("keeps the focus after Inject, moves it to the list after Stop, and takes Enter", async () => {
    await page.goto(`${node.server}/#/faults`);
    await page.getByRole("combobox").selectOption("reorg");
    await page.getByRole("textbox").fill("2");
    await page.getByRole("textbox").press("Enter");
    await page.getByRole("button", { name: "Stop reorg:2" }).waitFor();
    await page.getByRole("button", { name: "Inject" }).click();
    await page.getByRole("button", { name: "Stop reorg:2" }).nth(1).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).to.equal("Inject");
    for (const left of [1, 0]) {
      await page.getByRole("button", { name: "Stop reorg:2" }).first().click();
      await page.locator("ol.rows li").nth(left).waitFor({ state: "detached" });
      expect(await page.evaluate("document.activeElement.textContent")).to.equal("Waiting");
    }
  });

  it("breaks no rule of axe-core in any view, width and colour scheme, nor does the page of endpoints", async () => {
    const { registry, storageProof } = clients(node.server);
    const content = Buffer.from(JSON.stringify(SMALL_CLASS));
    await registry.upload({ name: "small.json", content });
    const header = ["STATE_ROOT"];
    const data = { "11155111": { "block:0": { header }, "block:99999": { header } } };
    await storageProof.submitRequest({ destination_chain_id: "SN_SEPOLIA", data });
    const linked = async (view: string, title: string): Promise<string> => {
      await page.goto(`${node.server}/#/${view}`);
      const address = await page.getByRole("link", { name: title }).first().getAttribute("href");
      return `/${address ?? ""}`;
    };
    const submission = await linked("submissions", "average of header.base_fee_per_gas");
    const failed = await linked("submissions", "maximum of header.nonce");
    const views = ["submissions", "programs", "proofs", "faults", "requests", "new"];
    const addresses = [
      ...views.map((name) => `/#/${name}`),
      submission,
      failed,
      `${submission}?with=${failed.split("/").at(-1) ?? ""}`,
      await linked("proofs", "block 0 of chain 11155111"),
      await linked("proofs", "block 99999 of chain 11155111"),
      "/swagger/",
    ];
    for (const address of addresses) {
      await page.goto("about:blank");
      await page.goto(`${node.server}${address}`);
      await page.locator("h1").waitFor();
      if (address === submission) await page.locator(".chart canvas").waitFor();
      if (address === "/swagger/") {
        await page.locator('body[data-state="ready"]').waitFor();
        await page.evaluate(
          "document.querySelectorAll('details').forEach((one) => (one.open = true))",
        );
      }
      await expectAccessible(address);
    }
  });

  it("opens in more tabs than a browser has connections, which share one stream and ask for what they missed", async () => {
    const context = page.context();
    const tabs: Page[] = [];
    for (let count = 0; count < 8; count += 1) {
      const tab = await context.newPage();
      tabs.push(tab);
      if (count === 7) await tab.addInitScript(DEAF_AT_FIRST);
      await tab.goto(`${node.server}/`);
      await tab.evaluate(`sessionStorage.setItem("hdp-api-key", ${JSON.stringify(KEY)})`);
      await tab.reload();
      await tab.locator("tbody tr").first().waitFor();
    }
    await submit(headerTask(2, "gas_used", "avg"));
    for (const tab of tabs)
      await tab.locator("tr", { hasText: "average of header.gas_used" }).waitFor();
    const [first] = tabs;
    await first?.goto(`${node.server}/swagger/`);
    await first?.locator('body[data-state="ready"]').waitFor();
    for (const tab of tabs) await tab.close();
  });

  it("opens and acts behind proxies that rewrite the host, end TLS, or have the address that the server was given", async () => {
    const proxies: Server[] = [];
    const folder = await mkdtemp(join(tmpdir(), "hdp-tls-"));
    const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
    const named = ["-nodes", "-subj", "/CN=hdp.test", "-keyout", keyFile, "-out", certFile];
    execFileSync("openssl", [...request, ...named], { stdio: "ignore" });
    const tls = { key: await readFile(keyFile), cert: await readFile(certFile) };
    await rm(folder, { recursive: true });
    const proxy = async (
      kind: "http" | "https",
      host: "server" | "own",
      server: () => string,
    ): Promise<string> => {
      const pass: RequestListener = (request, response) => {
        const { hostname, port } = new URL(server());
        const headers = { ...request.headers };
        if (host === "server") headers.host = `${hostname}:${port}`;
        const { url: path, method } = request;
        const asked = httpRequest({ hostname, port, path, method, headers }, (reply) => {
          response.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(response);
        });
        asked.on("error", () => response.destroy());
        response.on("close", () => asked.destroy());
        request.pipe(asked);
      };
      const made = kind === "http" ? createServer(pass) : createTlsServer(tls, pass);
      proxies.push(made);
      await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
      return `:${String((made.address() as AddressInfo).port)}`;
    };
    let address = "";
    const rewriting = `http://localhost${await proxy("http", "server", () => address)}`;
    const endingTls = `https://localhost${await proxy("https", "server", () => address)}`;
    const keeping = `https://hdp.test${await proxy("https", "own", () => address)}`;
    const server = await testServer(chain, { faults: new FaultQueue(), publicUrl: keeping });
    address = server.url;
    const context = page.context();
    try {
      for (const place of [rewriting, endingTls, keeping]) {
        const tab = await context.newPage();
        await tab.goto(`${place}/#/faults`);
        await tab.getByRole("combobox").selectOption("reorg");
        await tab.getByRole("textbox").fill("1");
        await tab.getByRole("button", { name: "Inject" }).click();
        await tab.getByRole("button", { name: "Stop reorg:1" }).click();
        await tab.getByText("No fault waits").waitFor();
        await tab.close();
      }
    } finally {
      for (const one of proxies) {
        one.closeAllConnections();
        one.close();
      }
      await server.close();
    }
  });

  it("follows a server that was started again with a new chain and 10,000 submissions, and runs again there what the old chain had", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "hdp-restart-"));
    const explained = { lines: [], taskHash: "0x1", value: "7", proven: true };
    const start = async (firstBlock: string, port = 0): Promise<TestServer> =>
      await testServer(chain, {
        dataDir,
        port,
        info: { executionStore: chain.store, firstBlock },
        explain: async () => await Promise.resolve({ title: "computed again", ...explained }),
      });
    let server = await start("0x1");
    const port = Number(new URL(server.url).port);
    const tab = await page.context().newPage();
    const failure = tab.getByText("Failed to fetch");
    try {
      await post(`${server.url}/tasks`, headerTask(3, "gas_limit", "min"));
      await tab.goto(`${server.url}/`);
      const row = tab.locator("tr", { hasText: "minimum of header.gas_limit" });
      await row.locator(".state.finalized").waitFor();
      // The server is away when the page asks for the samples, before the page knows that it is.
      await tab.route("**/dashboard/tasks/**", async (route) => {
        await route.abort();
      });
      await row.getByRole("link").click();
      await failure.waitFor();
      expect(await tab.getByText("Read it").count()).to.equal(1);
      await server.close();
      await tab.getByText("No connection, trying again").waitFor();
      await tab.unroute("**/dashboard/tasks/**");
      copySubmission(dataDir, 10_000);
      server = await start("0x2", port);
      await tab.getByText("Live", { exact: true }).waitFor();
      await failure.waitFor({ state: "detached" });
      await tab.locator(".state.elsewhere").waitFor();
      await tab.getByText(/^Its results were finalized on another chain/).waitFor();
      expect(await tab.getByText("Read it").count()).to.equal(0);
      await tab.getByRole("button", { name: "Submit again" }).click();
      await tab.locator(".state.finalized").waitFor();
      await tab.getByText("Read it").waitFor();
      await tab.getByRole("link", { name: "Submissions", exact: true }).click();
      await tab.getByText("Page 1 of 101, 10,002 submissions").waitFor();
      await tab.getByRole("link", { name: "Older" }).click();
      await tab.getByText("Page 2 of 101, 10,002 submissions").waitFor();
      await tab.getByRole("searchbox").fill("copy-7");
      await tab.getByText("Page 1 of 12, 1,111 submissions").waitFor();
      await tab.getByRole("searchbox").fill("copy-1234");
      await tab.locator("tbody tr").nth(1).waitFor({ state: "detached" });
      await tab.locator("tbody tr").getByRole("link").click();
      expect(new URL(tab.url()).hash).to.equal("#/submissions/copy-1234");
      await tab.getByRole("heading", { name: "minimum of header.gas_limit" }).waitFor();
    } finally {
      await tab.close();
      await server.close();
      await rm(dataDir, { recursive: true });
    }
  });

  it("shows the same views of a single run as one file, with a flame graph that keys walk along", async () => {
    const stacks = [
      { frames: ["main"], steps: 20, waited: undefined },
      { frames: ["main", "a::sum<img src=x>"], steps: 75, waited: undefined },
      {
        frames: ["main", "a::sum<img src=x>", "read account", "account.balance"],
        steps: 5,
        waited: 12,
      },
    ];
    const run = {
      status: "panicked",
      message: "<b>no blocks</b>",
      retdata: [],
      steps: 100,
      generation: "head",
      printed: ["<i>hello</i>"],
      injectedState: [],
    };
    const inspected = {
      task: { type: "Module", programHash: "0x3", inputs: [] },
      dryRun: { run, reads: [], proven: true, taskHash: "0x1", anchors: [] },
      profile: { steps: 100, named: true, functions: [], last: "main", stacks },
    } as unknown as InspectedModule;
    const folder = await mkdtemp(join(tmpdir(), "hdp-run-page-"));
    const file = join(folder, "run.html");
    await writeFile(file, await runPage([inspected]));
    await page.goto(pathToFileURL(file).href);
    expect(await text("h1")).to.equal("module 0x3");
    expect(await text(".facts")).to.contain("<b>no blocks</b>");
    expect(await page.locator(".printed li").allTextContents()).to.deep.equal(["<i>hello</i>"]);
    expect(await page.locator(".facts b, .printed i, .graph img").count()).to.equal(0);
    await expectAccessible("a run");
    await page.locator(".graph [tabindex='0']").focus();
    await page.keyboard.press("ArrowDown");
    expect(await text(".flame output")).to.equal(
      "main: 100 steps, 100.0 % of the run, 20 steps of its own",
    );
    await page.keyboard.press("ArrowDown");
    expect(await text(".flame output")).to.equal(
      "a::sum<img src=x>: 80 steps, 80.0 % of the run, 75 steps of its own",
    );
    await page.keyboard.press("Enter");
    expect(await page.locator("[role=treeitem]").count()).to.equal(3);
    await page.keyboard.press("Escape");
    expect(await page.locator("[role=treeitem]").count()).to.equal(4);
    await page.getByLabel("Waiting for reads").check();
    expect(await page.locator(".graph").getAttribute("aria-label")).to.equal("Flame graph: 12 ms");
    expect(complaints.filter((one) => one !== pathToFileURL(file).href)).to.deep.equal([]);
    complaints.length = 0;
    await rm(folder, { recursive: true });
  });

  it("asks no other server for anything, breaks no policy, and no script fails", () => {
    expect([...new Set(complaints)]).to.deep.equal([]);
  });
});

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

import { expect } from "chai";
import { build } from "esbuild";
import { type Address, encodeDeployData, encodeFunctionData, parseGwei } from "viem";

import type { CompiledContract } from "../../scripts/solidity-compiler.js";
import {
  asModule,
  blockSampled,
  header,
  mappingSlot,
  moduleTask,
  unorderedRoot,
  parseTaskRequestText,
  taskHash,
} from "../../src/entries/request.js";
import type { Eip1193Provider } from "../../src/base/rpc.js";
import { openBrowser } from "../support/chromium.js";
import { compiledContract } from "../support/compiled-contract.js";
import { consumers } from "../support/consumers.js";
import { root } from "../support/hardhat-cli.js";
import { blocksOf } from "../support/markdown-blocks.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";

const FILE = JSON.stringify({
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "DatalakeCompute",
      datalake: {
        type: "BlockSampled",
        chainId: "ETHEREUM_SEPOLIA",
        blockRangeStart: 0,
        blockRangeEnd: 1,
        sampledProperty: "header.base_fee_per_gas",
      },
      compute: { aggregateFnId: "avg" },
    },
  ],
});

/** What a web page would do; the hashes that it leaves in `window.seen` are those of Node. */
const PAGE = `
import { asModule, blockSampled, header, isHdpError, mappingSlot, moduleTask, parseTaskRequestText, taskHash, unorderedRoot } from "hardhat-hdp/request";
const caught = (() => { try { parseTaskRequestText('{ "tasks": 7 }'); } catch (error) { return error; } })();
window.seen = {
  datalake: taskHash(blockSampled({ from: 1, to: 9, property: header("gas_used") }).max()),
  form: taskHash(asModule(blockSampled({ from: 1, to: 9, property: header("gas_used") }).max())),
  module: taskHash(moduleTask({ programHash: "0x123", inputs: [1n, 2n] })),
  file: taskHash(parseTaskRequestText(${JSON.stringify(FILE)}).tasks[0]),
  root: unorderedRoot([1n, 2n, 3n]),
  slot: mappingSlot(4, "0x" + "ab".repeat(20), 7),
  error: [isHdpError(caught), caught.code, caught.message.split("\\n")[0]],
};
`;

/** A server of one page with one script, and the end of both. */
async function serveScript(
  script: string | undefined,
  other?: RequestListener,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    if (request.url === "/page.js")
      response.setHeader("content-type", "text/javascript").end(script);
    else if (request.method === "POST") other?.(request, response);
    else
      response
        .setHeader("content-type", "text/html")
        .end('<main id="root"></main><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  return { url, close: () => void server.close() };
}

/** Answers the calls of a page as a node does. */
function node(provider: Eip1193Provider): RequestListener {
  return (request, response) => {
    void (async () => {
      const { id, method, params } = (await json(request)) as {
        id: number;
        method: string;
        params?: readonly unknown[];
      };
      const result = await provider.request({ method, ...(params && { params }) });
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    })();
  };
}

describe("hardhat-hdp/request in a browser", () => {
  let url: string;
  let close: () => void;

  before(async () => {
    const bundled = await build({
      stdin: { contents: PAGE, resolveDir: root, sourcefile: "page.js" },
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
      metafile: true,
    });
    // A bundler is given one file, and asks nothing of Node.
    expect(Object.keys(bundled.metafile.inputs).filter((file) => file !== "page.js")).to.deep.equal(
      ["dist/browser/request.js"],
    );
    ({ url, close } = await serveScript(bundled.outputFiles[0]?.text));
  });
  after(() => {
    close();
  });

  it("hashes tasks, reads task files and throws as in Node, bundled by esbuild and run in Chromium", async function () {
    const opened = await openBrowser(url);
    if (opened === undefined) {
      this.skip();
    }
    const { page, complaints } = opened;
    try {
      await page.goto(url);
      const seen = page.waitForFunction("window.seen !== undefined", undefined, {
        timeout: 30_000,
      });
      await seen.catch((error: unknown) =>
        expect.fail(`${String(error)} ${complaints.join("; ")}`),
      );
      const [task] = parseTaskRequestText(FILE).tasks;
      if (task === undefined) throw new Error("no task");
      expect(await page.evaluate("window.seen")).to.deep.equal({
        datalake: taskHash(blockSampled({ from: 1, to: 9, property: header("gas_used") }).max()),
        form: taskHash(
          asModule(blockSampled({ from: 1, to: 9, property: header("gas_used") }).max()),
        ),
        module: taskHash(moduleTask({ programHash: "0x123", inputs: [1n, 2n] })),
        file: taskHash(task),
        root: unorderedRoot([1n, 2n, 3n]),
        slot: mappingSlot(4, `0x${"ab".repeat(20)}`, 7),
        error: [
          true,
          "HDP-1100",
          messageOf(() => parseTaskRequestText('{ "tasks": 7 }')).split("\n")[0],
        ],
      });
      expect(complaints).to.deep.equal([]);
    } finally {
      await opened.close();
    }
  });
});

describe("the React page of docs/consuming-results.md", () => {
  let project: TestProject;
  before(async () => {
    project = await testProject({ hdp: { local: { edition: "module-tasks" } } });
  });
  after(async () => {
    await removeProject(project);
  });

  it("shows what the gate has taken, with viem alone", async function () {
    const { hdp, provider } = await project.hre.network.create();
    const store = await hdp.deployExecutionStore();
    const task = blockSampled({ from: 0, to: 0, property: header("base_fee_per_gas") }).avg();
    const { abi, bytecode } = feeGate();
    const call = async (method: string, ...params: unknown[]): Promise<unknown> =>
      (await provider.request({ method, params })) as unknown;
    const [from] = (await call("eth_accounts")) as [Address];
    const send = async (transaction: object): Promise<Address | null> => {
      const hash = await call("eth_sendTransaction", { from, ...transaction });
      const receipt = await call("eth_getTransactionReceipt", hash);
      return (receipt as { contractAddress: Address | null }).contractAddress;
    };
    const args = [store.address, await hdp.task(task)];
    const gate = await send({ data: encodeDeployData({ abi, bytecode, args }) });

    const blocks = blocksOf("docs/consuming-results.md");
    const text = blocks.find(({ language }) => language === "tsx")?.text ?? "";
    const mount = `
import { createRoot } from "react-dom/client";
createRoot(document.getElementById("root")).render(<FeeGate rpcUrl={location.href} address="${String(gate)}" />);`;
    const bundled = await build({
      stdin: { contents: text + mount, resolveDir: root, loader: "tsx" },
      bundle: true,
      format: "esm",
      platform: "browser",
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"' },
      write: false,
      metafile: true,
    });
    const packages = Object.keys(bundled.metafile.inputs).flatMap(
      (file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
    );
    expect(packages).to.include.members(["react", "viem"]).and.not.include("hardhat-hdp");

    const server = await serveScript(bundled.outputFiles[0]?.text, node(provider));
    const opened = await openBrowser(server.url);
    if (opened === undefined) {
      server.close();
      return this.skip();
    }
    const { page, complaints } = opened;
    const shows = async (words: string): Promise<void> => {
      await page.goto(server.url);
      await page.getByText(words, { exact: true }).waitFor({ timeout: 10_000 });
    };
    try {
      await shows("No result yet.");
      const { value } = await hdp.finalize(task, parseGwei("7"));
      await shows("A result is there. Bring it to the gate.");
      const data = encodeFunctionData({ abi, functionName: "update", args: [value] });
      await send({ to: gate, data });
      await shows("7 gwei on average: open");
      expect(complaints).to.deep.equal([]);
    } finally {
      await opened.close();
      server.close();
    }
  });
});

/** The contract that `hdp:init` writes. */
function feeGate(): CompiledContract {
  const path = "templates/project/contracts/FeeGate.sol";
  const gate = consumers().find(({ name, source }) => name === "FeeGate" && source.path === path);
  return compiledContract(gate?.key ?? path);
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("nothing was thrown");
}

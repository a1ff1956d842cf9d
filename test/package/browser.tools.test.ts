import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "chai";
import { build } from "esbuild";

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
import { openBrowser } from "../support/chromium.js";
import { root } from "../support/hardhat-cli.js";

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

describe("hardhat-hdp/request in a browser", function () {
  this.timeout(60_000);
  let server: Server;
  let url: string;

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
    const [script] = bundled.outputFiles;
    server = createServer((request, response) => {
      if (request.url === "/page.js")
        response.setHeader("content-type", "text/javascript").end(script?.text);
      else
        response
          .setHeader("content-type", "text/html")
          .end('<script type="module" src="/page.js"></script>');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  });
  after(() => server.close());

  it("hashes tasks, reads task files and throws as in Node, bundled by esbuild and run in Chromium", async function () {
    const opened = await openBrowser(url);
    if (opened === undefined) {
      this.skip();
    }
    const { page, complaints, close } = opened;
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
      await close();
    }
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("nothing was thrown");
}

import { createHash } from "node:crypto";

import { expect } from "chai";

import type { Explanation } from "../../src/entries/local.js";
import { SECRETS } from "../../src/errors/secrets.js";
import { blockSampled, header } from "../../src/entries/request.js";
import { runPage } from "../../src/tasks/ui/run-page.js";

const task = blockSampled({ from: 0, to: 0, property: header("number") }).sum();
const sample = { position: 0n, value: 1n, proven: true, aggregate: 1n };

function explanation(network: string): Explanation {
  return {
    task,
    taskHash: "0x1",
    form: "datalake",
    unit: "block",
    elements: 1n,
    value: 1n,
    proven: true,
    samples: [sample],
    anchor: {
      kind: "node",
      number: 1n,
      hash: "0x2",
      source: { chain: "ETHEREUM_SEPOLIA", network, chainId: 1n },
    },
  };
}

describe("a run as a page", () => {
  it("contains its style, its script and the run, and a policy that allows these alone", async () => {
    const page = await runPage([explanation("local")]);
    const parts =
      /<style>(.*)<\/style>.*<script id="runs"[^>]*>(.*)<\/script>\s*<script type="module">(.*)<\/script>\s*<\/html>\s*$/s;
    const [, style = "", data = "", script = ""] = parts.exec(page) ?? [];
    const hash = (text: string): string =>
      `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    expect(/content-security-policy" content="([^"]*)"/.exec(page)?.[1]).to.equal(
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    // A parser of HTML would not end the script where it ends.
    expect(script).not.to.contain("<!--").and.not.contain("</script");
    expect(style).not.to.contain("</style");
    expect((JSON.parse(data) as { title: string }[])[0]?.title).to.equal("sum of header.number");
    expect(page).not.to.match(/(?:src|href)="(?!data:)/);
  });

  it("keeps hostile names as text, and leaves out keys", async () => {
    SECRETS.learn("sk_page-3Kd8");
    const page = await runPage([explanation("</script><script>alert(1)</script> sk_page-3Kd8")]);
    expect(page)
      .to.contain("\\u003c/script>\\u003cscript>alert(1)")
      .and.not.contain("sk_page-3Kd8");
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { apiPage } from "../../scripts/api-page.js";
import { root } from "../support/hardhat-cli.js";

describe("docs/api.md", () => {
  it("says what the docstrings say, and leaves no member and no helper out", async () => {
    const page = readFileSync(join(root, "docs", "api.md"), "utf8");
    expect(page).to.equal(await apiPage());
    for (const name of [
      "hdp.run",
      "hdp.submit",
      "hdp.faults",
      "hdp.program.upload",
      "hdp.submissions.list",
    ]) {
      expect(page).to.include(`### \`${name}\``);
    }
    for (const name of ["finalize", "avgBaseFee", "countTask"])
      expect(page).to.include(`\nfunction ${name}(`);
    const bare = page
      .split(/^### /m)
      .slice(1)
      .filter((section) => {
        const [, ...rest] = section.replace(/```[\s\S]*?```/g, "").split("\n");
        return rest.join("").trim() === "";
      });
    expect(bare).to.deep.equal([]);
  });
});

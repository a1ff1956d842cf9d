import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { FIGURE_FILES, FIGURES, figures } from "../../scripts/conformance-figures.js";
import { VECTORS } from "../support/vectors.js";

describe("the figures that conformance is tested against", () => {
  for (const file of FIGURE_FILES) {
    it(`tests against the published figures: ${file}`, function () {
      if (!existsSync(join(VECTORS, file))) {
        console.warn(`      skipped: no published vectors at ${VECTORS} (set HDP_VECTORS)`);
        this.skip();
      }
      expect(
        readFileSync(join(FIGURES, file), "utf8") === figures(file),
        "run npm run figures",
      ).to.equal(true);
    });
  }
});

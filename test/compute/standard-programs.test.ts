import { expect } from "chai";

import { compareForms } from "./both-forms.js";

describe("the standard programs compute what datalake tasks do", () => {
  it("over chains of every time, under each handle, errors included", async () => {
    const { values, failures } = await compareForms(100);
    expect(values + failures).to.be.above(200);
    expect(values).to.be.above(0);
  });
});

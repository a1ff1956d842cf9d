import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { expect } from "chai";

import { root } from "../support/hardhat-cli.js";

const folder = join(root, "dist", "dashboard");
const MAX_BYTES = 60_000;

describe("the dashboard in the package", () => {
  const files = readdirSync(folder).sort();
  const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");

  it("ships two pages, each a script and a style sheet, an icon and the worker that pages share, of at most 60 kB compressed together", () => {
    const names = [
      "endpoints.css",
      "endpoints.html",
      "endpoints.js",
      "icon.svg",
      "index.html",
      "page.css",
      "page.js",
      "stream.js",
    ];
    expect(files).to.deep.equal(names);
    const bytes = files.reduce((sum, name) => sum + gzipSync(textOf(name), { level: 9 }).length, 0);
    expect(bytes).to.be.below(MAX_BYTES);
  });

  it("names no address of another server", () => {
    const addresses = files.flatMap((name) => textOf(name).match(/https?:\/\/[\w.-]+/g) ?? []);
    expect(
      [...new Set(addresses)].filter((address) => address !== "http://www.w3.org"),
    ).to.deep.equal([]);
  });

  it("needs no evaluated text and no inline script, which its policy refuses", () => {
    expect(textOf("page.js")).not.to.match(/\beval\(|new Function\(/);
    expect(textOf("index.html")).not.to.match(/<script>|<style|style=|\son\w+=/);
  });

  it("hands on the licences of the libraries that it holds", () => {
    const notices = readFileSync(join(root, "dist", "THIRD-PARTY-NOTICES.txt"), "utf8");
    expect(notices)
      .to.match(/^preact \d/m)
      .and.match(/^uplot \d/m);
  });
});

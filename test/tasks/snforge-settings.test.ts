import { expect } from "chai";
import fc from "fast-check";

import type { HdpError } from "../../src/entries/request.js";
import { cairoName } from "../../src/tasks/requests/task-fixtures.js";
import { addToScarbToml, addToSnfoundryToml, newScarbToml } from "../../src/tasks/starknet.js";
import { hdpThrown } from "../support/failure.js";

const cairoPath = "node_modules/hardhat-hdp/contracts/starknet";
const add = (text: string): string => addToScarbToml(text, cairoPath);
const HDP = `hardhat_hdp = { path = "${cairoPath}/hardhat_hdp" }`;
const TESTING = `hardhat_hdp_testing = { path = "${cairoPath}/hardhat_hdp_testing" }`;
const EXTERNAL = `build-external-contracts = ["hardhat_hdp_testing::mock::ExecutionStoreMock"]`;
const PLUGINS = `allow-prebuilt-plugins = ["snforge_std"]`;

/** A package as Scarb and Starknet Foundry make it, with comments of its author. */
const FULL = `# Ours.
[package]
name = "gate"   # short
version = "0.1.0"

[dependencies]
starknet = "2.11.4" # pinned
openzeppelin = { git = "https://example.org/x", tag = "v1" }

[dev-dependencies]
snforge_std = "0.64.0"

# What is built.
[[target.starknet-contract]]
sierra = true
build-external-contracts = [
    "openzeppelin::presets::ERC20", # a token
]

[scripts]
test = "snforge test --max-threads 2"

[tool.scarb]
allow-prebuilt-plugins = []
`;

function refusal(text: string): HdpError {
  const error = hdpThrown(() => add(text));
  expect(error.code).to.equal("HDP-8016");
  return error;
}

describe("the settings of a Starknet Foundry project", () => {
  it("make the Scarb.toml of a new package", () => {
    expect(newScarbToml("gate", cairoPath)).to.equal(`[package]
name = "gate"
version = "0.1.0"
edition = "2024_07"

[[target.starknet-contract]]

[dependencies]
starknet = ">=2.13.1, <3.0.0"
${HDP}

[dev-dependencies]
snforge_std = "0.63.0"
${TESTING}

[target-defaults.test]
${EXTERNAL}

[scripts]
test = "snforge test"

[tool.scarb]
${PLUGINS}
`);
  });

  it("adds settings between the existing lines of a package, which stay", () => {
    const expected = FULL.replace("[dependencies]\n", `[dependencies]\n${HDP}\n`)
      .replace("[dev-dependencies]\n", `[dev-dependencies]\n${TESTING}\n`)
      .replace("plugins = []", `plugins = ["snforge_std"]`);
    expect(add(FULL)).to.equal(`${expected}\n[target-defaults.test]\n${EXTERNAL}\n`);
  });

  it("adds settings to a list in one line", () => {
    const text = '[package]\n[tool.scarb]\nallow-prebuilt-plugins = ["other"] # fast\n';
    expect(add(text)).to.contain('allow-prebuilt-plugins = ["snforge_std", "other"] # fast\n');
  });

  it("changes nothing where the settings exist in any form", () => {
    const text = add(
      '[package]\n[dependencies.hardhat_hdp]\npath = "x"\n\n[dependencies]\nsnforge_std = "1"\n',
    );
    expect(text).not.to.contain(HDP);
    expect(text).not.to.contain('snforge_std = "0.63.0"');
    const there = `[package]\n[target-defaults.test]\n${EXTERNAL}\n`;
    expect(add(there).match(/ExecutionStoreMock/g)).to.have.length(1);
  });

  it("keep the line ends of the file", () => {
    const text = add(FULL.replaceAll("\n", "\r\n"));
    expect(text).to.equal(add(FULL).replaceAll("\n", "\r\n"));
  });

  it("refuses a file that settings can't be added to safely", () => {
    const refused = [
      ["[workspace]\nmembers = []\n", "it has no [package] section"],
      [
        '[package]\ndescription = """\n[dependencies]\n"""\n',
        "in a form that lines cannot be added to",
      ],
      ['dependencies = { starknet = "2" }\n[package]\n', "in a form that lines cannot be added to"],
      ['dependencies.starknet = "2"\n[package]\n', "in a form that lines cannot be added to"],
      ["[package]\n[tool]\nscarb = {}\n", "in a form that lines cannot be added to"],
      [
        "[package]\n[tool.scarb]\nallow-prebuilt-plugins = true\n",
        "in a form that lines cannot be added to",
      ],
      ["[package]\n[tool.scarb]\nallow-prebuilt-plugins = [\n", "it is not valid TOML"],
    ] as const;
    for (const [text, reason] of refused) {
      expect(refusal(text).message, text)
        .to.contain(reason)
        .and.contain("Scarb.toml")
        .and.contain('[tool.scarb]\n  allow-prebuilt-plugins = ["snforge_std"]');
    }
  });

  it("adds settings to a file with a multi-line string", () => {
    const text = '[package]\ndescription = """\nfirst\nsecond = 1\n"""\n';
    expect(add(text).startsWith(text)).to.equal(true);
  });

  it("adds settings once and removes no line", () => {
    const line = fc.constantFrom(
      "# a comment",
      "",
      'starknet = "2.12.0"',
      "sierra = true",
      '"quoted" = 1',
      "casm = false # why",
      'test = "other"',
    );
    const section = fc.tuple(
      fc.constantFrom(
        "[dependencies]",
        "[dev-dependencies] # here",
        "[[target.starknet-contract]]",
        "[ tool . scarb ]",
        "[scripts]",
        "[other]",
      ),
      fc.uniqueArray(line, { maxLength: 4 }),
    );
    const sections = fc.uniqueArray(section, { selector: ([header]) => header, maxLength: 6 });
    fc.assert(
      fc.property(sections, (parts) => {
        const text = `[package]\nname = "x"\n${parts.map(([header, lines]) => [header, ...lines, ""].join("\n")).join("")}`;
        const once = add(text);
        expect(add(once)).to.equal(once);
        const left = once.split("\n");
        for (const before of text.split("\n").filter((one) => one !== "")) {
          const at = left.indexOf(before);
          expect(at, before).to.be.at.least(0);
          left.splice(0, at + 1);
        }
      }),
    );
  });

  it("include a profile for a devnet in snfoundry.toml, added once", () => {
    const profile = '[sncast.devnet]\nurl = "http://127.0.0.1:5050"\naccount = "devnet-1"\n';
    expect(addToSnfoundryToml()).to.equal(profile);
    expect(addToSnfoundryToml(profile)).to.equal(profile);
    const other = '# ours\n[sncast.default]\nnetwork = "sepolia"\n';
    expect(addToSnfoundryToml(other)).to.equal(`${other}\n${profile}`);
  });

  it("derive the package's name from its folder", () => {
    const names = ["My-Gate", "2gates", "--"].map((folder) => cairoName(folder, "package"));
    expect(names).to.deep.equal(["my_gate", "package_2gates", "package"]);
  });
});

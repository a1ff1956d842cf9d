import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";
import ts from "typescript";

import { CATALOGUE } from "../../src/errors/catalogue.js";
import { parseCommand } from "../support/documented-commands.js";
import { root } from "../support/hardhat-cli.js";
import { COMMANDS } from "../support/run-command.js";

/** Options of other programs, and of Hardhat, that the source names in words. */
const OTHERS: Readonly<Record<string, string>> = {
  "--network": "Hardhat's",
  "--config": "Hardhat's",
  "--show-stack-traces": "Hardhat's",
  "--state-archive-capacity": "starknet-devnet's",
  "--gcmode": "geth's",
  "--preserve-historical-states": "anvil's",
  "--save-dev": "npm's",
  "--quiet": "git's",
  "--help": "Hardhat's",
  "--version": "Scarb's and other tools'",
};
const OWN = new Set(
  Object.values(COMMANDS).flatMap(({ options }) =>
    Object.keys(options).map(
      (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    ),
  ),
);

interface Words {
  readonly where: string;
  readonly text: string;
}

/** Every text in the source, those with values in them too: `${…}` stands as `<…>`. */
function words(): Words[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name.endsWith(".ts") && !name.includes("generated") && !name.endsWith("swagger-page.ts"),
  );
  const found: Words[] = [];
  for (const name of files) {
    const source = ts.createSourceFile(
      name,
      readFileSync(join(root, "src", name), "utf8"),
      ts.ScriptTarget.ES2023,
      true,
    );
    const visit = (node: ts.Node): void => {
      const where = `${name}:${String(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)}`;
      if (ts.isImportDeclaration(node)) return;
      if (ts.isStringLiteralLike(node)) found.push({ where, text: node.text });
      if (ts.isTemplateExpression(node)) {
        found.push({
          where,
          text: [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(
            "<…>",
          ),
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

const COMMAND = /npx hardhat hdp[ :][a-z][^`"\n]*/g;
const OPTION = /(?<![\w-])--[a-z][a-z-]+/g;

describe("commands that the source suggests", () => {
  const all = words();

  it("name commands and options that exist", () => {
    const commandsTold = all.flatMap(({ where, text }) =>
      [...text.matchAll(COMMAND)].map(([line]) => ({ where, line })),
    );
    expect(commandsTold.length).to.be.greaterThan(40);
    const errors = commandsTold.flatMap(({ where, line }) =>
      // A sentence goes on behind the command: what it says of another option is looked at below.
      parseCommand(
        line.split(/[;:,] |\. | or | lists | shows | prints | and /)[0] ?? "",
      ).errors.map((one) => `${where}: ${one}`),
    );
    expect(errors).to.deep.equal([]);
  });

  it("name no option of another command, and no command by a name that does not exist", () => {
    const errors = all.flatMap(({ where, text }) => {
      const options = [...text.matchAll(OPTION)].map(([option]) => option);
      const written = /(?<![\w/-])hdp:[a-z]+(?:[:-][a-z]+)*|(?<=`)hdp [a-z-]+(?: [a-z-]+)?/g;
      const names = [...text.matchAll(written)].map(([name]) => name);
      return [
        ...options.filter((option) => !OWN.has(option) && OTHERS[option] === undefined),
        ...names.filter((name) => parseCommand(`npx hardhat ${name}`).errors.length > 0),
      ].map((error) => `${where}: ${error}`);
    });
    expect(errors).to.deep.equal([]);
  });

  it("for a missing file show how standard input is given", () => {
    const { message, description, hints } = CATALOGUE["HDP-6001"];
    expect([message, description, ...hints].join(" ")).not.to.match(/(?<!-- )`-`|--store\b/);
  });
});

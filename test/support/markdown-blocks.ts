import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./hardhat-cli.js";

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  readonly line: number;
  /** What stands behind the fence, empty where nothing does. */
  readonly language: string;
  readonly text: string;
  /** The page and the block's first line that says something: what a list of blocks names it by. */
  readonly key: string;
  /** The file that a comment in the first two lines names. */
  readonly file?: string;
}

const FENCED = /^( *)```([^\n`]*)\n([\s\S]*?)^\1```$/gm;

export function blocksOf(page: string): Block[] {
  const whole = readFileSync(join(root, page), "utf8");
  return [...whole.matchAll(FENCED)].map(
    ({ 1: indent = "", 2: language = "", 3: body = "", index }) => {
      const text = body.replaceAll(new RegExp(`^${indent}`, "gm"), "");
      const lines = text.split("\n");
      const head = /(?:\/\/|#) ((?:[\w-]+\/)*[\w.-]+\.(?:ts|json|sol))\b/.exec(
        lines.slice(0, 2).join("\n"),
      )?.[1];
      const first = lines.find((line) => line.trim() !== "") ?? "";
      return {
        page,
        line: whole.slice(0, index).split("\n").length,
        language: language.trim(),
        text,
        key: `${page}: ${first.trim()}`,
        ...(head === undefined ? {} : { file: head }),
      };
    },
  );
}

/** The commands of this package that a page tells to type, in blocks and within sentences, as they are typed. */
export function commandsOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const found = [
    ...text.matchAll(/(?<=^|[\s`(])npx hardhat (hdp[ :][^`\n]*|hdp$|test[^`\n]*|run [^`\n]*)/gm),
  ];
  return found.map(([line]) =>
    line
      .replace(/\s{2,}\S.*$/, "")
      .replace(/\s+#.*$/, "")
      .replace(/\s[<|].*$/, (rest) => (/^\s<[\w\s-]+>/.test(rest) ? rest : ""))
      .trim(),
  );
}

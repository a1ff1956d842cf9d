import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { shipped } from "../../base/files.js";
import { SECRETS } from "../../base/secrets.js";
import { runView } from "./run-view.js";
import { printFields, type Screen } from "./screen.js";

/** Opens one HTML file with the system's browser, or with the command in `BROWSER`; "none" opens nothing. */
export async function openRuns(runs: readonly Parameters<typeof runView>[0][], screen: Screen): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), "hdp-")), "run.html");
  await writeFile(path, await runPage(runs));
  printFields(screen, [["Page", path]]);
  const { BROWSER: browser = "" } = process.env;
  if (browser === "none") return;
  const [command = "", ...args] = browser === "" ? (OPENERS[process.platform] ?? ["xdg-open"]) : [browser];
  const opener = spawn(command, [...args, path], { detached: true, stdio: "ignore" });
  // The path is printed, so that a user without a browser here can open the file elsewhere.
  opener.on("error", () => undefined).unref();
}

const OPENERS: Partial<Readonly<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** The file loads nothing, and its policy allows only its own script. */
export async function runPage(runs: readonly Parameters<typeof runView>[0][]): Promise<string> {
  const [style, code] = await Promise.all(
    ["page.css", "page.js"].map(async (name) => await readFile(shipped(`dist/dashboard/${name}`), "utf8")),
  );
  // Escapes the end tag of the element.
  const script = (code ?? "").replaceAll("</script", "<\\/script");
  const data = JSON.stringify(SECRETS.redactValue(runs.map(runView))).replaceAll("<", "\\u003c");
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style ?? "")}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${policy}">
<title>hardhat-hdp</title>
<link rel="icon" href="data:,">
<style>${style ?? ""}</style>
<div id="page"></div>
<script id="runs" type="application/json">${data}</script>
<script type="module">${script}</script>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

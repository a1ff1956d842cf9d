import { spawn } from "node:child_process";
import { once } from "node:events";

import { findFoundry } from "./foundry.js";

export interface Anvil {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs anvil on a free port. @throws Error where there is none: see `findFoundry` */
export async function startAnvil(...options: readonly string[]): Promise<Anvil> {
  const found = findFoundry("anvil");
  if (typeof found === "string") throw new Error(found);
  const child = spawn(found.path, ["--port", "0", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const address = /Listening on (\S+)/.exec(output)?.[1];
        if (address !== undefined) resolve(`http://${address}`);
      });
    }
    child.once("exit", (code) => {
      reject(new Error(`anvil ended with ${code}: ${output}`));
    });
  });
  return {
    url,
    stop: async () => {
      child.kill("SIGINT");
      await ended;
    },
  };
}

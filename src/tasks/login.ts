import type { UserInterruptionHooks } from "hardhat/types/hooks";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import { readFile } from "node:fs/promises";
import { z } from "zod";

import { requireAddress } from "../base/hex.js";
import { printable } from "../errors/printable.js";
import { type HdpError, hdpError, loginCommand, suggested } from "../errors/hdp-error.js";
import { Session } from "../plugin/session.js";
import { type Flags, networkOption, type Optional } from "./options.js";
import { command } from "./run-command.js";
import { confirmed } from "./ui/confirm.js";
import { printBlock, printFields, style } from "./ui/screen.js";

const KEYSTORE = "hardhat-keystore";

/** Runs `hdp login`: exchanges a signature for the key of the wallet's project, and keeps the key. */
export const login = command(
  async (args: Flags<"force" | "yes"> & Optional<"from">, { hre, screen, asker }) => {
    const from = args.from === undefined ? undefined : requireAddress(args.from, "--from");
    const session = Session.of(await hre.network.getOrCreate());
    const { checkedChallenge, keyVariable } = await import("../plugin/login-challenge.js");
    const { name: variable, unreadAt } = keyVariable(session);
    const network = networkOption(hre);
    requireKeystore(hre, variable);
    if (!args.force) await requireFreeName(hre, variable);
    const { host, wallet, challenge, exchange } = await checkedChallenge(session, from);
    const { challengeTime, signedMembers } = await import("../service/login/challenge.js");
    const members = signedMembers(challenge.eip712);
    printBlock(screen, `  ${style.strong("Login")}  the account ${wallet} signs for ${host}`);
    printFields(screen, [
      ["Domain", printable(JSON.stringify(challenge.eip712.domain))],
      ["Expires", new Date(challengeTime(challenge.expiresAt) ?? 0).toISOString()],
      ...members.map(({ name, value }) => [printable(name), printable(value)] as const),
    ]);
    const question = `Sign this, and keep the project's key as ${variable} in the keystore?`;
    const declined = "Nothing was signed or stored.";
    if (!(await confirmed(question, args.yes, { asker, screen }, declined)))
      return { host, wallet };
    await keepKey(hre, variable, await exchange(), args.force);
    const next = suggested("hdp:check", ["tasks/fee.json"], { network });
    printBlock(screen, `  ✔ The key is kept as ${variable}. Next: ${style.command(next)}`);
    if (unreadAt !== undefined)
      screen.line(
        `  ${style.bad("!")} The configuration does not read it yet. Set ${unreadAt}: configVariable("${variable}")`,
      );
    if (process.env[variable] !== undefined)
      screen.line(
        `  ${style.bad("!")} The environment has ${variable} too, and goes before the keystore: unset it there.`,
      );
    return { host, wallet, variable };
  },
);

/** Throws where Hardhat's keystore is not in the project, before anything is signed. @throws HdpError HDP-6089 */
function requireKeystore(hre: HardhatRuntimeEnvironment, variable: string): void {
  if (hre.config.plugins.some(({ id }) => id === KEYSTORE)) return;
  throw hdpError("HDP-6089", { variable, login: loginCommand(networkOption(hre)) });
}

/** Where the keystore's plugin keeps its file. The plugin is optional, and so are its types. */
const configSchema = z.object({ keystore: z.object({ filePath: z.string() }) });
/** The part of the keystore's file that can be read without its password: the names of what it keeps. */
const fileSchema = z.object({ secrets: z.record(z.unknown()) });

/**
 * Throws where the keystore has the name already, before the service is asked or anything is signed.
 * @throws HdpError HDP-6090
 */
async function requireFreeName(hre: HardhatRuntimeEnvironment, variable: string): Promise<void> {
  const { keystore } = configSchema.parse(hre.config);
  const kept: unknown = await readFile(keystore.filePath, "utf8")
    .then(JSON.parse)
    // No keystore yet, or one that its own command says more of.
    .catch(() => undefined);
  const { data } = fileSchema.safeParse(kept);
  if (data !== undefined && Object.hasOwn(data.secrets, variable))
    throw nameTaken(hre, variable, "Nothing was asked of the service, signed or stored.");
}

function nameTaken(hre: HardhatRuntimeEnvironment, variable: string, done: string): HdpError {
  const login = loginCommand(networkOption(hre), "--force");
  return hdpError("HDP-6090", { variable, done, login });
}

/**
 * Keeps a key in Hardhat's keystore by its own command, which asks for the password. The key is not shown.
 * @throws HdpError HDP-6090 where the keystore has the name already
 */
async function keepKey(
  hre: HardhatRuntimeEnvironment,
  variable: string,
  key: string,
  force: boolean,
): Promise<void> {
  const { hooks, tasks } = hre;
  const taken: string[] = [];
  const handlers: Partial<UserInterruptionHooks> = {
    // The command asks for passwords first, which are the user's to type.
    requestSecretInput: async (context, interruptor, description, next) => {
      if (interruptor !== KEYSTORE || !/^Enter secret to store/i.test(description))
        return await next(context, interruptor, description);
      taken.push(description);
      return await Promise.resolve(key);
    },
  };
  hooks.registerHandlers("userInterruptions", handlers);
  try {
    await tasks.getTask(["keystore", "set"]).run({ key: variable, force, dev: false });
  } finally {
    hooks.unregisterHandlers("userInterruptions", handlers);
  }
  if (taken.length > 0) return;
  // Another login may have kept a key meanwhile.
  throw nameTaken(hre, variable, "Nothing was stored.");
}

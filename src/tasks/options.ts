import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { isLoopback } from "../base/loopback.js";
import { nearest } from "../base/text.js";
import { notAllowed } from "../errors/hdp-error.js";

/** Options of a command that may be left out. */
export type Optional<NameT extends string> = Readonly<Record<NameT, string | undefined>>;
/** Options of a command that are given or not. */
export type Flags<NameT extends string> = Readonly<Record<NameT, boolean>>;

interface WithGlobalOptions {
  readonly globalOptions: HardhatRuntimeEnvironment["globalOptions"];
}

/** Returns the value of `--network`. Without it the option is undefined, whatever its type says. */
export function networkOption({ globalOptions }: WithGlobalOptions): string | undefined {
  return globalOptions.network;
}

/** Returns the value of an option in seconds as milliseconds. @throws HdpError HDP-6003 */
export function milliseconds(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value * 1000;
  throw notAllowed(text, "a positive number of seconds", { path: option });
}

/** Returns an integer in a range; its digits may be grouped. @throws HdpError HDP-6003 */
export function integerIn(
  text: string,
  option: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number },
): number {
  const value = Number(text.replaceAll(/[_,]/g, ""));
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  throw notAllowed(text, `an integer of ${range}`, { path: option });
}

/** Returns one of a list of values. @param what for the error: "a unit of values" @throws HdpError HDP-6003 */
export function parseChoice<ValueT extends string>(
  value: string,
  values: readonly ValueT[],
  {
    what,
    path,
    hints,
  }: { readonly what: string; readonly path: string; readonly hints?: readonly string[] },
): ValueT {
  const known = values.find((one) => one === value);
  if (known !== undefined) return known;
  throw notAllowed(value, what, {
    path,
    hints,
    near: nearest(value, values),
    allowed: values.join(", "),
  });
}

/** Options that limit a module's run, as text. */
export type Limits = Optional<"stepsLimit" | "memoryLimit">;

const CELLS = 2 ** 17;

/** Parses the limits of a module's run. */
export function parseLimits(
  limits: Limits,
): Record<"maxSteps" | "maxMemoryCells", number | undefined> {
  const given = (text: string | undefined, option: string): number | undefined =>
    text === undefined ? undefined : integerIn(text, option, { min: 1 });
  const memory = given(limits.memoryLimit, "--memory-limit");
  return {
    maxSteps: given(limits.stepsLimit, "--steps-limit"),
    maxMemoryCells: memory && memory * CELLS,
  };
}

/** Returns whether a network is a node on this machine. A configuration variable is not read: that may ask for a password. */
export function isOnThisMachine(
  name: string,
  { config, userConfig }: Pick<HardhatRuntimeEnvironment, "config" | "userConfig">,
): boolean {
  if (config.networks[name]?.type !== "http") return false;
  const given = userConfig.networks?.[name];
  if (given === undefined) return name === "localhost";
  const url = "url" in given ? given.url : undefined;
  return typeof url === "string" && URL.canParse(url) && isLoopback(new URL(url).hostname);
}

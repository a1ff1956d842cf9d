import type * as Starknet from "starknet";

import { HdpError } from "../../base/errors.js";

/** The parts of starknet.js, typed by the package itself. */
export type StarknetJs = typeof Starknet;

/**
 * starknet.js, an optional peer that is loaded when a Starknet store is first used.
 *
 * @param load how to load it
 * @throws HDP-8001 when it is not installed, or its major version is another
 */
export async function loadStarknet(
  load: () => Promise<StarknetJs> = async () => await import("starknet"),
): Promise<StarknetJs> {
  try {
    return await load();
  } catch (cause) {
    throw new HdpError({
      code: "HDP-8001",
      message: "a Starknet execution store needs starknet.js, which could not be loaded.",
      hints: ["Install it beside the plugin: npm install --save-dev starknet@10"],
      cause,
    });
  }
}

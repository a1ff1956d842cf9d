import { FAMILIES, openExecutionStore } from "../store/execution-store.js";
import { unansweredRead } from "../store/failed-read.js";
import type { ConnectedNetwork } from "./connected-network.js";

/**
 * Returns why a call failed that reverted without data, in lines, where a contract in it called the result function of the
 * other kind of store; none for any other failure.
 * @param frame frame of the `callTracer`
 */
export async function otherKindLines(
  { provider }: ConnectedNetwork,
  frame: unknown,
): Promise<readonly string[]> {
  const read = unansweredRead(frame);
  if (read === undefined) return [];
  const { store: address, asker, kind: called } = read;
  const { kind } = await openExecutionStore({ provider, address });
  if (kind === called) return [];
  const [own, other] = [FAMILIES[kind].result.name, FAMILIES[called].result.name];
  const store = kind === "satellite" ? "a satellite" : "an execution store of 2024";
  return [
    `Contract ${asker} called ${other} of store ${address}, which is ${store}: its function is ${own}.`,
    "HdpResults of hardhat-hdp/contracts/libraries reads both kinds.",
  ];
}

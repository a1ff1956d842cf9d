import type { Preflight, TaskPreflight } from "../../plugin/actions/preflight-action.js";
import { grouped, plural } from "../../base/text.js";
import { style, type Screen } from "../ui/screen.js";

/** What submitting would do, below the preview of the tasks. */
export function printPreflight(screen: Screen, preflight: Preflight): void {
  const { processor, networkName, request, store, tasks, proofs } = preflight;
  screen.line(
    `  ${style.strong("Destination")}  ${request.destinationChainId} (network "${networkName}", ${processor.description})`,
  );
  screen.line(`  ${style.strong("Store")}  ${store ?? "none yet: a mock would be deployed on a development chain"}`);
  tasks.forEach((task, index) => {
    screen.line(`  ${style.strong(`Task ${String(index + 1)}`)}  ${sentences(task).join("; ")}`);
  });
  if (processor.kind === "local") screen.line(`  ${style.strong("Price")}  none: it is computed here`);
  else {
    const prices = Object.entries(proofs?.prices ?? {});
    screen.line(
      `  ${style.strong("Price")}  ${prices.length === 0 ? "the service says none before it is used" : prices.map(([name, price]) => `${name} ${price}`).join(", ")}`,
    );
    for (const line of proofSentences(preflight)) screen.line(`  ${line}`);
  }
}

function sentences({ samples, lastBlock, isFinalized }: TaskPreflight): string[] {
  const parts: string[] = [];
  if (samples === undefined) parts.push("what a module reads is known when it has run");
  else parts.push(`${plural(samples.count, "sample")}, step ${grouped(samples.step)}`);
  if (lastBlock !== undefined) {
    const { chainId, number, head, state } = lastBlock;
    const block = `block ${grouped(number)}`;
    if (state === "there") parts.push(`${block} is there (head ${grouped(head ?? 0n)})`);
    else if (state === "missing")
      parts.push(`${style.bad("✘")} ${block} is not there yet (head ${grouped(head ?? 0n)})`);
    else parts.push(`${block} was not looked for: no network here is ${chainId} (hdp.sources names one)`);
  }
  if (isFinalized === true) parts.push("finalized in the store already: it would not be sent");
  return parts;
}

function proofSentences({ proofs, request }: Preflight): string[] {
  if (proofs === undefined) {
    return ["Whether the destination can prove the blocks was not asked: hdp.storageProof has no key."];
  }
  if (proofs.problem !== undefined)
    return [`Whether the destination can prove the blocks is not known: ${proofs.problem}`];
  return [
    `${plural(proofs.growOrders.length, "grow order")} at the storage proof interface (npx hardhat hdp grow-orders).`,
    `It publishes no list of what ${request.destinationChainId} can prove already: where a proof is refused as out of range,`,
    "order it: npx hardhat hdp grow-orders create <file>",
  ];
}

/** What `--json` says: the request is in the document already. */
export function withoutRequest(preflight: Preflight): Omit<Preflight, "request"> {
  const { processor, networkName, isLive, store, tasks, proofs } = preflight;
  return { processor, networkName, isLive, store, tasks, ...(proofs === undefined ? {} : { proofs }) };
}

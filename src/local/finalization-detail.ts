import type { Finalization } from "./result-sink.js";

/** "block 66, 71,204 gas"; for proven batches "block 70, batch of 3 proven, 412,345 gas (authentication 230,123)". */
export function describeFinalization({ blockNumber, gasUsed, batches = [] }: Finalization): string {
  const block = `block ${blockNumber}`;
  const [only] = batches;
  if (only === undefined) return `${block}, ${grouped(gasUsed)} gas`;
  if (batches.length === 1) {
    const authentication = `authentication ${grouped(only.authenticationGas)}`;
    return `${block}, batch of ${only.tasks} proven, ${grouped(only.gasUsed)} gas (${authentication})`;
  }
  const each = batches.map((batch) => `${batch.tasks} for ${grouped(batch.gasUsed)}`).join(", ");
  return `${block}, ${batches.length} batches proven, ${grouped(gasUsed)} gas (${each})`;
}

function grouped(gas: bigint): string {
  return gas.toLocaleString("en-US");
}

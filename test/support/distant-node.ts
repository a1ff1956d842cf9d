import { NodeReads, type Send } from "../../src/base/node-reads.js";
import type { Eip1193Provider } from "../../src/base/rpc.js";

interface DistantNodeOptions {
  readonly milliseconds?: number;
  readonly width?: number;
  readonly maxCalls?: number;
}

/** A node whose answers take a while, read in batches. */
export class DistantNode extends NodeReads {
  readonly #trips: { ended: number };

  public constructor(
    provider: Eip1193Provider,
    { milliseconds = 20, width = 6, maxCalls = 100 }: DistantNodeOptions = {},
  ) {
    const trips = { ended: 0 };
    const send: Send = async (batch) => {
      const trip = trips.ended + 1;
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      const answers = batch.map(async (one) => ({ result: await provider.request(one) }));
      const outcomes = await Promise.all(answers);
      trips.ended = Math.max(trips.ended, trip);
      return () => outcomes;
    };
    super(send, { width, maxCalls });
    this.#trips = trips;
  }

  /** The longest chain of requests so far of which each began when the one before had ended. */
  public get trips(): number {
    return this.#trips.ended;
  }
}

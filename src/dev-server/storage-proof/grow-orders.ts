import { z } from "zod";

import type { FrontLog } from "../front-log.js";
import type { Keyed } from "../idempotency-keys.js";
import { type Idempotency, idempotencySchema } from "../task-record.js";

/** A grow order. Its fields are not published: what was ordered is kept as it came. */
export const growOrderSchema = z.object({
  id: z.string(),
  status: z.enum(["OPEN", "CANCELLED"]),
  created_at: z.string(),
  cancelled_at: z.string().nullable(),
  order: z.record(z.unknown()),
});
export type GrowOrder = z.infer<typeof growOrderSchema>;

export const growOrderEntrySchema = z.object({
  type: z.literal("grow-order"),
  order: growOrderSchema,
  idempotency: idempotencySchema.optional(),
});
export type GrowOrderEntry = z.infer<typeof growOrderEntrySchema>;

/** Grow orders are taken down and cancelled; nothing grows locally, because no MMR is kept. */
export class GrowOrders {
  readonly #orders = new Map<string, GrowOrder>();
  /** As they were created. */
  readonly #byKey = new Map<string, Keyed<GrowOrder>>();
  readonly #log: FrontLog;

  public constructor(log: FrontLog) {
    this.#log = log;
  }

  /** Newest first. */
  public list(): GrowOrder[] {
    return [...this.#orders.values()].reverse();
  }

  public find(id: string): GrowOrder | undefined {
    return this.#orders.get(id);
  }

  public findByKey(key: string): Keyed<GrowOrder> | undefined {
    return this.#byKey.get(key);
  }

  public async create(
    id: string,
    at: string,
    order: Readonly<Record<string, unknown>>,
    idempotency?: Idempotency,
  ): Promise<GrowOrder> {
    const created = { id, status: "OPEN" as const, created_at: at, cancelled_at: null, order: { ...order } };
    return await this.#put(created, idempotency);
  }

  /** Cancels an open order; one that is cancelled already stays as it is. */
  public async cancel(order: GrowOrder, at: string): Promise<GrowOrder> {
    return order.status === "CANCELLED" ? order : await this.#put({ ...order, status: "CANCELLED", cancelled_at: at });
  }

  /** Puts back what a log remembers. */
  public replay({ order, idempotency }: GrowOrderEntry): void {
    this.#orders.set(order.id, order);
    if (idempotency !== undefined) this.#byKey.set(idempotency.key, { digest: idempotency.digest, record: order });
  }

  async #put(order: GrowOrder, idempotency?: Idempotency): Promise<GrowOrder> {
    const entry: GrowOrderEntry = {
      ...{ type: "grow-order", order },
      ...(idempotency === undefined ? {} : { idempotency }),
    };
    await this.#log.append(entry);
    this.replay(entry);
    return order;
  }
}

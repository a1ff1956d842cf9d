import { z } from "zod";

import { jsonText } from "../base/json.js";
import { readAs } from "./body.js";
import { listReply, textIn } from "./database.js";
import { unknownId } from "./refusals.js";
import {
  type Decided,
  jsonReply,
  publishedRoutes,
  type Reply,
  type Request,
  type Route,
} from "./route.js";
import type { ServerContext } from "./task-service.js";

const MAX_ORDER_BYTES = 16 * 2 ** 10;

const growOrderSchema = z.object({
  id: z.string(),
  status: z.enum(["OPEN", "CANCELLED"]),
  created_at: z.string(),
  cancelled_at: z.string().nullable(),
  order: z.record(z.unknown()),
});

type GrowOrder = z.output<typeof growOrderSchema>;

/** Returns the routes of grow orders, which only records and cancels them: the server does not have an MMR. */
export function growOrderRoutes(context: ServerContext): readonly Route[] {
  return publishedRoutes({
    "GET /grow-orders": {
      summary: "List grow orders, newest first",
      reply: z.object({ grow_orders: z.array(growOrderSchema) }),
      handle: () => listOrders(context),
    },
    "POST /grow-orders": {
      summary: "Create a grow order. Its fields are not published and are kept as they come",
      body: {
        type: "json",
        schemas: [z.record(z.unknown())],
        example: {},
        maxBytes: MAX_ORDER_BYTES,
      },
      once: true,
      reply: growOrderSchema,
      handle: (request) => createOrder(context, request),
    },
    "GET /grow-orders/{id}": {
      summary: "One grow order",
      reply: growOrderSchema,
      handle: ({ params }) => jsonReply(foundOrder(context, params["id"])),
    },
    "POST /grow-orders/{id}/cancel": {
      summary: "Cancel a grow order",
      reply: growOrderSchema,
      handle: (request) => () => cancelOrder(context, request),
    },
  });
}

/** @throws HttpRefusal HDP-4519 (404) */
function foundOrder({ database }: ServerContext, id = ""): GrowOrder {
  const row = database.get("SELECT body FROM grow_order WHERE id = ?", id);
  if (row === undefined) throw unknownId("grow order", id);
  return growOrderSchema.parse(JSON.parse(textIn(row, "body")));
}

function listOrders({ database }: ServerContext): Reply {
  const select = "SELECT CAST(body AS BLOB) AS item FROM grow_order ORDER BY number DESC";
  return listReply("grow_orders", database.all(select));
}

function createOrder({ database, newId, timestamp }: ServerContext, { json }: Request): Decided {
  const id = newId();
  const order = readAs(z.record(z.unknown()), json);
  const created = { id, status: "OPEN", created_at: timestamp(), cancelled_at: null, order };
  return {
    ...jsonReply(created),
    write: () => {
      const body = jsonText(created);
      database.insert("grow_order", { id, body });
      database.forget("grow_order", body.length);
    },
  };
}

function cancelOrder(context: ServerContext, { params }: Request): Reply {
  const order = foundOrder(context, params["id"]);
  if (order.status === "CANCELLED") return jsonReply(order);
  const cancelled = { ...order, status: "CANCELLED", cancelled_at: context.timestamp() };
  const update = "UPDATE grow_order SET body = ? WHERE id = ?";
  return {
    ...jsonReply(cancelled),
    write: () => context.database.run(update, jsonText(cancelled), order.id),
  };
}

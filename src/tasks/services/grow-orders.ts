import { hdpError, suggested } from "../../errors/hdp-error.js";
import type { SubmissionRecord } from "../../submission/model.js";
import type { Flags, Optional } from "../options.js";
import type { CommandContext } from "../run-command.js";
import { networkOption, parseChoice } from "../options.js";
import { command } from "../run-command.js";
import { confirmed, printEarlier } from "../ui/confirm.js";
import { printRecord } from "../ui/screen.js";
import { readBodyFile } from "./request-body.js";
type GrowOrderArguments = { action: string } & Flags<"yes" | "force"> & Optional<"target">;

/** Runs `hdp grow-orders`: lists, shows, creates and cancels grow orders. */
export const growOrders = command(async (args: GrowOrderArguments, context) => {
  const what = "an action on grow orders";
  const action = parseChoice(args.action, ["list", "show", "create", "cancel"], {
    what,
    path: "action",
  });
  const { target } = args;
  const { hre, screen } = context;
  if (action === "list") {
    const orders = await (await hre.hdp.clients.storageProof()).growOrders();
    printRecord(screen, "Grow orders", orders);
    return orders;
  }
  if (target === undefined) {
    const what = action === "create" ? "request body" : "grow order";
    const example = suggested("hdp grow-orders", [action], {
      network: networkOption(hre),
      after: action === "create" ? "order.json" : "<id>",
    });
    throw hdpError("HDP-6016", { what, example }, { path: "target" });
  }
  if (action === "create") return await createOrder(target, args, context);
  const { hdp, networkName } = await hre.network.getOrCreate();
  const client = await hdp.clients.storageProof();
  if (action === "show") {
    const order = await client.growOrder(target);
    printRecord(screen, `Grow order ${target}`, order);
    return order;
  }
  if (
    !(await confirmed(`Cancel grow order ${target} (network "${networkName}")?`, args.yes, context))
  )
    return undefined;
  const answer = await client.cancelGrowOrder(target);
  printRecord(screen, `Cancelled grow order ${target}`, answer);
  return { id: target, answer };
});

async function createOrder(
  file: string,
  args: GrowOrderArguments,
  context: CommandContext,
): Promise<unknown> {
  const { hre, screen } = context;
  const body = await readBodyFile(file, hre.config.paths.root);
  const { hdp, networkName } = await hre.network.getOrCreate();
  printRecord(screen, `Grow order to create (network "${networkName}")`, body);
  if (!(await confirmed("Create it? It is charged.", args.yes, context))) return undefined;
  let title = "Created";
  const onEarlier = (earlier: SubmissionRecord): void => {
    title = `Grow order ${earlier.serviceId ?? earlier.id}`;
    printEarlier(screen, earlier);
  };
  const order = await hdp.storageProof.createGrowOrder(body, {
    label: file,
    force: args.force,
    onEarlier,
  });
  printRecord(screen, title, order);
  return order;
}

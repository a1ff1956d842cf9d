import { hdpError, suggested } from "../../errors/hdp-error.js";
import type { ModuleChange, RegistryModule } from "../../service/module-registry.js";
import { networkOption, parseChoice, type Optional } from "../options.js";
import { command, type CommandContext } from "../run-command.js";
import { shortHex } from "../ui/format.js";
import { type Field, mark, printBlock, printFields, printTable, style } from "../ui/screen.js";

type ModuleArguments = { action: string; marketplace: boolean } & Optional<
  "id" | "description" | "tags" | "license"
>;

const ACTIONS = ["list", "show", "update", "publish", "unpublish"] as const;

/** Runs `hdp service-modules`: lists, shows, changes, publishes and withdraws modules of the data processor's registry. */
export const serviceModules = command(async (args: ModuleArguments, context) => {
  const action = parseChoice(args.action, ACTIONS, {
    what: "an action on modules",
    path: "action",
  });
  const { marketplace, id } = args;
  if (action === "list") return await list(marketplace, context);
  if (id === undefined) {
    const network = networkOption(context.hre);
    const named = suggested("hdp service-modules", [action], { network, after: "<id>" });
    const example = `${named}. ${suggested("hdp service-modules", [], { network })} lists the ids.`;
    throw hdpError("HDP-6016", { what: "module", example }, { path: "id" });
  }
  if (action === "show") return await show(id, context);
  if (action === "update") return await update(id, args, context);
  return await setPublished(id, action, context);
});

async function list(marketplace: boolean, { hre, screen }: CommandContext): Promise<unknown> {
  const client = await hre.hdp.clients.moduleRegistry();
  const modules = await client.list(marketplace ? { marketplace } : {});
  if (modules.length === 0) {
    const upload = suggested("hdp program upload", [], {
      network: networkOption(hre),
      after: "<compiled class>",
    });
    printBlock(
      screen,
      marketplace ? "  No module is on the marketplace." : "  The registry has no module yet.",
      `  Upload one: ${style.command(upload)}`,
    );
    return { modules };
  }
  const rows = modules.map((module) => [
    module.id,
    module.name,
    shortHex(module.latestModuleVersionProgramHash ?? ""),
    module.publishedOnMarketplace ? "published" : "",
    module.createdAt,
  ]);
  printTable(screen, ["MODULE", "NAME", "PROGRAM", "MARKETPLACE", "CREATED"], rows);
  return { modules };
}

async function show(id: string, { hre, screen }: CommandContext): Promise<unknown> {
  const client = await hre.hdp.clients.moduleRegistry();
  const [module, versions] = await Promise.all([client.get(id), client.versions(id)]);
  printRegistryModule(screen, module);
  printTable(
    screen,
    ["VERSION", "PROGRAM HASH", "CREATED"],
    versions.map(({ version, hash, createdAt }) => [version, hash, createdAt]),
  );
  return { module, versions };
}

async function update(
  id: string,
  { description, tags, license }: ModuleArguments,
  { hre, screen }: CommandContext,
): Promise<unknown> {
  const change: ModuleChange = {
    description,
    tags: tags?.split(",").map((tag) => tag.trim()),
    license,
  };
  if (Object.values(change).every((value) => value === undefined)) {
    const example = suggested(
      "hdp service-modules",
      ["update", id, "--description", "Averages fees"],
      { network: networkOption(hre) },
    );
    throw hdpError("HDP-6016", { what: "change", example }, { path: "--description" });
  }
  const client = await hre.hdp.clients.moduleRegistry();
  const module = await client.update(id, change);
  printRegistryModule(screen, module);
  return { module };
}

async function setPublished(
  id: string,
  action: "publish" | "unpublish",
  { hre, screen }: CommandContext,
): Promise<unknown> {
  const client = await hre.hdp.clients.moduleRegistry();
  const reply = await client[action](id);
  const done =
    action === "publish"
      ? "is on the marketplace"
      : "is off the marketplace; its id still shows it";
  printBlock(screen, `  ${mark(true)} ${id} ${done}`);
  return { id, published: action === "publish", reply };
}

function printRegistryModule(screen: CommandContext["screen"], module: RegistryModule): void {
  const fields: readonly Field[] = [
    ["Module", `${module.name}  ${module.id}`],
    ["Description", module.description ?? ""],
    ["Tags", (module.tags ?? []).join(", ")],
    ["License", module.license ?? ""],
    ["Program hash", module.latestModuleVersionProgramHash ?? ""],
    ["Published", module.publishedOnMarketplace ? "yes" : "no"],
  ];
  printFields(
    screen,
    fields.filter(([, value]) => value !== ""),
  );
}

import type { NetworkConnection } from "hardhat/types/network";

import { ChainSources } from "../chain-sources.js";
import { Session } from "../session.js";
import { EvmStores } from "../stores/evm-stores.js";
import { CONFIGURATION_CHECKS } from "./configuration-checks.js";
import { DATABASE_CHECKS, databaseIo } from "./database-checks.js";
import { type Finding, runChecks } from "./finding.js";
import { NODE_CHECKS } from "./node-checks.js";
import { nodeIo } from "./node-io.js";
import { SERVICE_CHECKS, servicesIo } from "./service-checks.js";
import { STORE_CHECKS, storeIo } from "./store-checks.js";
import { VERSION_CHECKS, versionsIo } from "./version-checks.js";

/** Checks the tools, the configuration and everything that a connection works with. Sends nothing that may be charged. */
export async function diagnose(connection: NetworkConnection<string>): Promise<readonly Finding[]> {
  const session = Session.of(connection);
  const { config, networkName, root, project } = session;
  const node = nodeIo(session, session.part(ChainSources));
  const configuration = { networkName, config, requireSource: node.requireSource };
  const [versions, configured, found, database] = await Promise.all([
    runChecks("Versions", VERSION_CHECKS, versionsIo(project.config)),
    runChecks("Configuration", CONFIGURATION_CHECKS, configuration),
    runChecks("Node", NODE_CHECKS, node),
    runChecks("Database", DATABASE_CHECKS, databaseIo(config.dataDir, root)),
  ]);
  const answers = found.length > 1 || found.every(({ light }) => light !== "red");
  // Without its node, each check of a store fails for the reason that is listed already.
  const stored = answers
    ? await runChecks("Store", STORE_CHECKS, storeIo(session, session.part(EvmStores)))
    : [];
  const io = servicesIo(session, answers);
  const services = await Promise.all(
    SERVICE_CHECKS.map(async (checks) => await runChecks("Services", checks, io)),
  );
  return [...versions, ...configured, ...found, ...stored, ...services.flat(), ...database];
}

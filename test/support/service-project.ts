import type { NetworkConnection } from "hardhat/types/network";

import type { HdpUserConfig, WireEditionName } from "../../src/types.js";
import {
  KEY_VARIABLE,
  remoteNetwork,
  removeProject,
  type TestProject,
  testProject,
} from "./remote-project.js";
import { SERVICE_KEY, type ServiceServer, serviceServer } from "./service-server.js";

/** A project whose tasks go to a service that finalizes into the project's own in-process chain. */
export interface ServiceProject {
  readonly project: TestProject;
  readonly connection: NetworkConnection<string>;
  readonly server: ServiceServer;
  readonly close: () => Promise<void>;
}

/**
 * Starts a service, makes a project with its network `remote`, and connects to that.
 * @param network what `--network` names, as a command sees it: commands then share the connection
 */
export async function serviceProject(
  edition: WireEditionName,
  hdp: HdpUserConfig = {},
  network?: "remote",
  indexerUrl?: string,
): Promise<ServiceProject> {
  // The server needs the chain and the configuration the server's address: a forwarding object closes the circle.
  const chain: { connection?: NetworkConnection<string> } = {};
  const server = await serviceServer({
    get hdp() {
      if (chain.connection === undefined) throw new Error("asked before the chain was there");
      return chain.connection.hdp;
    },
  });
  process.env[KEY_VARIABLE] = SERVICE_KEY;
  const project = await testProject(
    remoteNetwork(server.url, edition, hdp, indexerUrl),
    undefined,
    network,
  );
  const { network: networks } = project.hre;
  const connection = await (network === undefined
    ? networks.create("remote")
    : networks.getOrCreate(network));
  chain.connection = connection;
  const close = async (): Promise<void> => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await server.close();
    await connection.close();
    await removeProject(project);
  };
  return { project, connection, server, close };
}

import type { HookContext, NetworkHooks } from "hardhat/types/hooks";
import type { ChainType, NetworkConnection } from "hardhat/types/network";

import { coverSecrets } from "../../errors/secrets.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { ConnectedProcessor } from "../connected-processor.js";
import { connectionHdp } from "../hdp.js";
import { Session } from "../session.js";

export default async (): Promise<Partial<NetworkHooks>> => {
  return {
    // eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- the hook's own signature
    async newConnection<ChainTypeT extends ChainType | string>(
      context: HookContext,
      next: (nextContext: HookContext) => Promise<NetworkConnection<ChainTypeT>>,
    ) {
      const connection = await next(context).catch(async (error: unknown) => {
        // A forked node is read while the connection is made.
        const { learnNode } = await import("../node-provider.js");
        await learnNode(context.config.networks[context.globalOptions.network || "default"]);
        coverSecrets(error);
        throw error;
      });
      connection.hdp = connectionHdp(new Session(context, connection, selectProcessor));
      return connection;
    },
  };
};

async function selectProcessor(session: Session): Promise<ConnectedProcessor> {
  const { chosenProcessor } = await import("../processor-choice.js");
  const choice = await chosenProcessor(session.config, async () => await session.isDevelopment());
  if (choice === "local") {
    const { localProcessor } = await import("../local-processor.js");
    return localProcessor(session);
  }
  if (choice !== undefined) {
    const { remoteProcessor } = await import("../remote-processor.js");
    return await remoteProcessor(session, choice);
  }
  throw hdpError(
    "HDP-2001",
    { network: session.networkName },
    { path: session.configPath("dataProcessor") },
  );
}

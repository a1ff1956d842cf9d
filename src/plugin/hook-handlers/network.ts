import type { HookContext, NetworkHooks } from "hardhat/types/hooks";
import type { ChainType, NetworkConnection } from "hardhat/types/network";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import { isRecord } from "../../base/collections.js";
import { coverSecrets } from "../../errors/secrets.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { ConnectedProcessor } from "../connected-processor.js";
import { connectionHdp } from "../hdp.js";
import { isOwnCall } from "../own-calls.js";
import { Session } from "../session.js";

/** Calls that run a contract, which may ask an execution store. */
const RUNS: ReadonlySet<string> = new Set([
  "eth_call",
  "eth_estimateGas",
  "eth_sendTransaction",
  "eth_sendRawTransaction",
]);

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

    // eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- the hook's own signature
    async onRequest<ChainTypeT extends ChainType | string>(
      context: HookContext,
      connection: NetworkConnection<ChainTypeT>,
      request: JsonRpcRequest,
      next: (
        nextContext: HookContext,
        nextConnection: NetworkConnection<ChainTypeT>,
        nextRequest: JsonRpcRequest,
      ) => Promise<JsonRpcResponse>,
    ) {
      if (!RUNS.has(request.method) || isOwnCall()) return await next(context, connection, request);
      let response: JsonRpcResponse;
      try {
        response = await next(context, connection, request);
      } catch (error) {
        await explain(connection, request, error);
        throw error;
      }
      if ("error" in response) await explain(connection, request, response.error);
      return response;
    },
  };
};

/** Adds to the error of a read that failed why it did. Changes no other error, and nothing else of this one. */
async function explain(
  connection: NetworkConnection<string>,
  request: JsonRpcRequest,
  error: unknown,
): Promise<void> {
  const session = Session.find(connection);
  if (session === undefined || !isRecord(error) || error["data"] === undefined) return;
  const failedAt = performance.now();
  const { addReason } = await import("../read-failures.js");
  await addReason(session, request, error, failedAt);
}

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

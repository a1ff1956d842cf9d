import type { HookContext, NetworkHooks } from "hardhat/types/hooks";
import type { ChainType, NetworkConnection } from "hardhat/types/network";

import { connectionHdp } from "../hdp.js";
import { Session } from "../session.js";

export default async (): Promise<Partial<NetworkHooks>> => {
  return {
    // eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- the hook's own signature
    async newConnection<ChainTypeT extends ChainType | string>(
      context: HookContext,
      next: (nextContext: HookContext) => Promise<NetworkConnection<ChainTypeT>>,
    ) {
      const connection = await next(context);
      connection.hdp = connectionHdp(Session.begin(context, connection));
      return connection;
    },
  };
};

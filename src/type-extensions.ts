import type { HdpConfig, HdpUserConfig } from "./plugin/config/config.js";
import type { Hdp, HdpConnection } from "./plugin/hdp.js";

declare module "hardhat/types/config" {
  interface HardhatUserConfig {
    hdp?: HdpUserConfig;
  }
  interface HardhatConfig {
    hdp: HdpConfig;
  }
  interface EdrNetworkUserConfig {
    hdp?: HdpUserConfig;
  }
  interface HttpNetworkUserConfig {
    hdp?: HdpUserConfig;
  }
  interface EdrNetworkConfig {
    hdp: HdpConfig;
  }
  interface HttpNetworkConfig {
    hdp: HdpConfig;
  }
}

declare module "hardhat/types/hre" {
  interface HardhatRuntimeEnvironment {
    /** Submits tasks to a data processor, awaits them and reads their finalized results. */
    hdp: Hdp;
  }
}

declare module "hardhat/types/network" {
  interface NetworkConnection<
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-redundant-type-constituents -- an augmentation repeats the parameters
    ChainTypeT extends ChainType | string = DefaultChainType,
  > {
    /** The data processor bound to this connection: its chain, and its execution store. */
    hdp: HdpConnection;
  }
}

/** Public types of the plugin: what configuration takes, and what `hre.hdp` and `connection.hdp` offer. */
export type * from "./plugin/config/types.js";
export type * from "./plugin/types.js";
export type * from "./entries/request.js";

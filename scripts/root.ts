import { join } from "node:path";

/** The project's folder. */
export const root = join(import.meta.dirname, "..");
/** Hardhat's command line, to be run by Node. */
export const hardhatCli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");

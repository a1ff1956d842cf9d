// `npm run demo`: runs the fixture project's demonstration as a user would run a script.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { root } from "./root.js";

const cwd = join(root, "test", "fixture-project");
const { status } = spawnSync("npx", ["hardhat", "run", "scripts/demo.ts"], {
  cwd,
  stdio: "inherit",
});
process.exitCode = status ?? 1;

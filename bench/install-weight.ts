// What installing the package adds beside Hardhat, hardhat-viem and viem: real installations (needs a package registry).
import { installedWeight } from "../scripts/installed-weight.js";
import { row } from "./measure.js";

const added = installedWeight();
row({ name: "installed packages", value: added.length, unit: "packages", aim: 8 });
row({
  name: "installed",
  value: added.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
  unit: "MB",
  aim: 6,
});

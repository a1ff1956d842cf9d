// What the plugin adds to `npx hardhat --help`: the same project with and without it, in turn, each in a fresh process.
import { row } from "./measure.js";
import { inTurn, Project } from "./projects.js";

const config = (
  plugins: string,
  imports = "",
): string => `import { defineConfig } from "hardhat/config";
import hardhatViem from "@nomicfoundation/hardhat-viem";
${imports}
export default defineConfig({ plugins: [${plugins}] });
`;
const without = new Project({ "hardhat.config.js": config("hardhatViem") });
const withPlugin = new Project({
  "hardhat.config.js": config("hardhatViem, hardhatHdp", 'import hardhatHdp from "hardhat-hdp";'),
});
const [floor, own] = inTurn(
  15,
  () => without.run("--help"),
  () => withPlugin.run("--help"),
);
row({ name: "hardhat --help", value: own, floor, aim: 1.1 });
row({ name: "hardhat --help, added", value: own - floor, aim: 8 });

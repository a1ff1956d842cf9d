// `node scripts/installed-weight.mjs`: what installing this package adds to a Hardhat project with viem: packages and
// bytes, from a real `npm pack` and two real installations (needs a package registry).
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { root } from "./toolchain.mjs";

const BASE = ["hardhat", "@nomicfoundation/hardhat-viem", "viem"];

function bytesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Bytes of each installed package by its place in node_modules, without packages nested below it. */
function installed(project) {
  const { packages } = JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8"));
  const places = Object.keys(packages);
  const nested = (place) => places.filter((other) => other !== place && other.startsWith(`${place}/`));
  const whole = new Map(places.map((place) => [place, bytesUnder(join(project, place))]));
  return new Map(
    places.map((place) => {
      // A package nested in a nested one is in its parent's bytes already.
      const direct = nested(place).filter((one) => !nested(place).some((two) => one.startsWith(`${two}/`)));
      return [place, whole.get(place) - direct.reduce((sum, one) => sum + whole.get(one), 0)];
    }),
  );
}

function install(scratch, name, dependencies) {
  const project = join(scratch, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...options], { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
  return installed(project);
}

/** Packages that come with this one, largest first. */
export function installedWeight() {
  const scratch = mkdtempSync(join(tmpdir(), "hdp-weight-"));
  try {
    const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch], {
      cwd: root,
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    });
    const report = JSON.parse(packed);
    const [{ filename }] = Array.isArray(report) ? report : Object.values(report);
    const versions = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies;
    const base = Object.fromEntries(BASE.map((name) => [name, versions[name]]));
    const without = install(scratch, "without", base);
    const whole = install(scratch, "with", { ...base, "hardhat-hdp": `file:../${filename}` });
    const added = [...whole].filter(([place]) => !without.has(place)).sort(([, a], [, b]) => b - a);
    return added.map(([place, bytes]) => ({ name: place.replace(/^node_modules\//, ""), bytes }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const added = installedWeight();
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  for (const { name, bytes } of added) console.log(`${name.padEnd(48)} ${megabytes(bytes)}`);
  const total = added.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`\n${added.length} packages, ${megabytes(total)}`);
}

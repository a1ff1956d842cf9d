// `npm run weight`: what installing this package adds to a Hardhat project with viem: packages and
// bytes, from a real `npm pack` and two real installations (needs a package registry).
import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { z } from "zod";

import { root } from "./root.js";

const BASE = ["hardhat", "@nomicfoundation/hardhat-viem", "viem"];

const lock = z.object({ packages: z.record(z.unknown()) });
const manifest = z.object({ devDependencies: z.record(z.string()) });
const packed = z.object({ filename: z.string() });
/** What `npm pack --json` prints: a list, or with later versions an object by package. */
const packReport = z.union([z.array(packed), z.record(packed)]);

/** A package that was installed; `name` is its place under node_modules. */
export interface InstalledPackage {
  readonly name: string;
  readonly bytes: number;
}

function bytesUnder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Bytes of each installed package by its place in node_modules, without packages nested below it. */
function installed(project: string): Map<string, number> {
  const { packages } = lock.parse(
    JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8")),
  );
  const places = Object.keys(packages);
  const nested = (place: string): string[] =>
    places.filter((other) => other !== place && other.startsWith(`${place}/`));
  const whole = new Map(places.map((place) => [place, bytesUnder(join(project, place))]));
  const bytes = (place: string): number => whole.get(place) ?? 0;
  return new Map(
    places.map((place) => {
      // A package nested in a nested one is in its parent's bytes already.
      const direct = nested(place).filter(
        (one) => !nested(place).some((two) => one.startsWith(`${two}/`)),
      );
      return [place, bytes(place) - direct.reduce((sum, one) => sum + bytes(one), 0)];
    }),
  );
}

function install(
  scratch: string,
  name: string,
  dependencies: Readonly<Record<string, string>>,
): Map<string, number> {
  const project = join(scratch, name);
  mkdirSync(project);
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies }),
  );
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...options], {
    cwd: project,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return installed(project);
}

/** Packages that come with this one, largest first. */
export function installedWeight(): InstalledPackage[] {
  const scratch = mkdtempSync(join(tmpdir(), "hdp-weight-"));
  try {
    const printed = execFileSync(
      "npm",
      ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch],
      {
        cwd: root,
        stdio: ["ignore", "pipe", "ignore"],
        encoding: "utf8",
      },
    );
    const [tarball] = Object.values(packReport.parse(JSON.parse(printed)));
    if (tarball === undefined) throw new Error("npm pack made nothing");
    const { devDependencies } = manifest.parse(
      JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
    );
    const base = Object.fromEntries(BASE.map((name) => [name, devDependencies[name] ?? "*"]));
    const without = install(scratch, "without", base);
    const whole = install(scratch, "with", {
      ...base,
      "hardhat-hdp": `file:../${tarball.filename}`,
    });
    const added = [...whole].filter(([place]) => !without.has(place)).sort(([, a], [, b]) => b - a);
    return added.map(([place, bytes]) => ({ name: place.replace(/^node_modules\//, ""), bytes }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const added = installedWeight();
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
  for (const { name, bytes } of added) console.log(`${name.padEnd(48)} ${megabytes(bytes)}`);
  const total = added.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`\n${added.length} packages, ${megabytes(total)}`);
}

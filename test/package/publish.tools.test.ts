import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, posix } from "node:path";

import { expect } from "chai";

import { command, root } from "../support/hardhat-cli.js";

/** Where the project lives; links to what the package leaves out lead there. */
const ADDRESS = "https://github.com/hardhat-hdp/hardhat-hdp";

interface Manifest {
  readonly version: string;
  readonly author: { readonly name: string };
  readonly repository: { readonly type: string; readonly url: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly keywords: readonly string[];
  readonly publishConfig: { readonly provenance: boolean };
  readonly scripts: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
}

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const json = (file: string): unknown => JSON.parse(read(file));
const manifest = json("package.json") as Manifest;

describe("publishing", () => {
  let packed: ReadonlySet<string>;

  before(async () => {
    const { code, stdout, stderr } = await command("npm", [
      "pack",
      "--dry-run",
      "--json",
      "--ignore-scripts",
    ]);
    expect(code, stderr).to.equal(0);
    const [archive] = Object.values(
      JSON.parse(stdout) as Record<string, { files: { path: string }[] }>,
    );
    packed = new Set(archive?.files.map(({ path }) => path));
  });

  it("says whose the package is and where it lives, everywhere the same", () => {
    expect(manifest.repository).to.deep.equal({ type: "git", url: `git+${ADDRESS}.git` });
    expect(manifest.homepage).to.equal(`${ADDRESS}#readme`);
    expect(manifest.bugs.url).to.equal(`${ADDRESS}/issues`);
    expect(read("LICENSE")).to.include(manifest.author.name);
    expect(manifest.keywords).to.include.members([
      "hardhat",
      "hardhat3",
      "hardhat-plugin",
      "smart-contracts",
    ]);
    const addresses = ["README.md", "contracts/starknet/Scarb.toml"]
      .flatMap((file) => [...read(file).matchAll(/https:\/\/github\.com\/[\w-]+\/hardhat-hdp/g)])
      .map(([address]) => address);
    expect(new Set(addresses)).to.deep.equal(new Set([ADDRESS]));
  });

  it("builds and examines the package before it is published, and leaves a proof of where", () => {
    expect(manifest.scripts["prepublishOnly"]).to.equal("npm run build && npm run check:package");
    expect(manifest.scripts["check:package"]).to.equal(
      "publint --strict && attw --pack . --profile esm-only && npm publish --dry-run --ignore-scripts --offline --tag latest --loglevel=error",
    );
    expect(manifest.publishConfig.provenance).to.equal(true);
    expect(read(".github/workflows/release.yml"))
      .to.include("id-token: write")
      .and.to.include("npm publish --ignore-scripts --provenance");
    expect(read("scripts/ci.mjs")).to.include('"check:package"');
  });

  it("runs its tests with each of its peers", () => {
    expect(manifest.devDependencies).to.include.all.keys(Object.keys(manifest.peerDependencies));
  });

  it("checks the supported systems and versions, without the lock file", () => {
    const workflow = read(".github/workflows/checks.yml");
    expect(workflow).to.include("os: [ubuntu-latest, macos-latest, windows-latest]");
    expect(workflow).to.include("node: [22, 24]").and.to.include('hardhat: ["3.8", latest]');
    expect(workflow)
      .to.include("npm install --ignore-scripts --no-package-lock")
      .and.to.include("bash .ci/run");
    // The oldest of each in the matrix is the oldest that the package takes.
    expect(manifest.peerDependencies["hardhat"]).to.equal("^3.8.0");
    expect(manifest.engines.node).to.match(/^>=22\./);
  });

  it("runs actions of others at a commit, and none of their install scripts", async () => {
    const workflows = await readdir(join(root, ".github/workflows"));
    const steps = workflows.flatMap((file) =>
      read(`.github/workflows/${file}`).match(/(?<=uses: ).*|run: npm (ci|install)\b.*/g),
    );
    const loose = steps.filter(
      (step) => !/^\.\/|@[\da-f]{40} # v\d|--ignore-scripts/.test(step ?? ""),
    );
    expect(steps.length).to.be.greaterThan(20);
    expect(loose).to.deep.equal([]);
  });

  it("locks no package without its integrity", () => {
    const { packages } = json("package-lock.json") as {
      packages: Record<string, { link?: true; integrity?: string }>;
    };
    const locked = Object.entries(packages).filter(([path]) => path !== "");
    expect(locked.length).to.be.greaterThan(500);
    expect(
      locked.filter(([, { link, integrity }]) => link !== true && integrity === undefined),
    ).to.deep.equal([]);
  });

  it("finds changesets that name this package", async () => {
    const changes = (await readdir(join(root, ".changeset"))).filter((file) =>
      /^(?!README).*\.md$/.test(file),
    );
    for (const file of changes) {
      expect(read(`.changeset/${file}`), file).to.match(
        /^---\n"hardhat-hdp": (patch|minor|major)\n---\n\n\S/,
      );
    }
    expect(json(".changeset/config.json")).to.include({ access: "public", baseBranch: "main" });
  });

  it("finds an entry for the list of plugins", () => {
    const entry = json(".github/plugin-listing.json") as Record<string, unknown>;
    expect(Object.keys(entry)).to.deep.equal([
      "name",
      "author",
      "authorUrl",
      "description",
      "tags",
    ]);
    expect(entry).to.include({
      name: "hardhat-hdp",
      author: manifest.author.name,
      authorUrl: ADDRESS,
    });
  });

  it("links from its pages to what is in the package, or to an address whose file is there", () => {
    const pages = [...packed].filter((file) => file.endsWith(".md"));
    expect(pages).to.include("README.md").and.to.include("docs/errors/requests.md");
    const dead = pages.flatMap((page) =>
      links(read(page))
        .filter((link) => !isAlive(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).to.deep.equal([]);
    expect(isAlive("docs/README.md", "none.md")).to.equal(false);
    expect(isAlive("docs/README.md", "commands.md#no-such-part")).to.equal(false);
    expect(isAlive("README.md", `${ADDRESS}/blob/main/none.md`)).to.equal(false);
  });

  it("names pages in errors by a path that users have", async () => {
    const files = (await readdir(join(root, "src"), { recursive: true })).filter((file) =>
      file.endsWith(".ts"),
    );
    const named = files.flatMap((file) => {
      const text = read(join("src", file)).replace(/^\s*(\*|\/\*\*|\/\/).*$/gm, "");
      return [...text.matchAll(/([\w./-]*)\bdocs\/([\w-]+\.md)/g)].map(([path, , page]) => ({
        file,
        path,
        page,
      }));
    });
    expect(named.length).to.be.greaterThan(0);
    for (const { file, path, page } of named) {
      expect(path, file).to.equal(`node_modules/hardhat-hdp/docs/${String(page)}`);
      expect(packed.has(`docs/${String(page)}`), path).to.equal(true);
    }
  });

  function links(page: string): string[] {
    const text = page.replace(/^```[\s\S]*?^```$/gm, "");
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  }

  function isAlive(page: string, link: string): boolean {
    const [target = "", anchor] = link.split("#");
    if (target.startsWith(ADDRESS)) {
      const path = target.slice(ADDRESS.length).replace(/^\/(blob|tree)\/main\//, "");
      return path === "" || path.startsWith("/") || existsSync(join(root, path));
    }
    if (/^https?:/.test(target)) return true;
    const path = target === "" ? page : posix.join(dirname(page), target);
    // Screenshots are shown by the site and are left out of the package.
    if (path.endsWith(".png")) return existsSync(join(root, path));
    const file = packed.has(path) ? path : posix.join(path, "README.md");
    if (!packed.has(file)) return false;
    return anchor === undefined || !file.endsWith(".md") || anchors(read(file)).has(anchor);
  }

  /** As GitHub makes them of headings, and those that stand there by themselves. */
  function anchors(page: string): ReadonlySet<string> {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    );
    return new Set([
      ...headings,
      ...[...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id),
    ]);
  }
});

/**
 * The layers of ARCHITECTURE.md, from the lowest up. A folder may import itself and what it names here, and nothing else
 * of `src/`: imports go down only, and never in a circle.
 */
const lowest = ["errors", "base"];
const domain = [...lowest, "request"];
const folders = {
  errors: [],
  base: ["errors"],
  request: lowest,
  program: domain,
  cairo: [...domain, "program"],
  chain: domain,
  store: domain,
  service: [...domain, "program"],
  compute: [...domain, "program", "cairo", "chain"],
  submission: [...domain, "program", "cairo", "chain", "store", "service", "compute"],
  "dev-server": [...domain, "program", "chain", "service", "compute", "submission"],
  plugin: [
    ...domain,
    ...["program", "cairo", "chain", "store", "service", "compute", "submission", "dev-server"],
  ],
  tasks: [...domain, "program", "service", "store", "compute", "submission", "plugin"],
};

/** Files at the edge: what the package offers. */
const edge = "^src/(entries/|index\\.ts|types\\.ts|type-extensions\\.ts)";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circle",
      comment: "Files that import each other can only be read, tested and moved together.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...Object.entries(folders).map(([folder, may]) => ({
      name: `layer-${folder}`,
      comment: `src/${folder} may import ${["itself", ...may].join(", ")} (ARCHITECTURE.md, layers).`,
      severity: "error",
      from: { path: `^src/${folder}/` },
      to: { path: "^src/", pathNot: `^src/(${[folder, ...may].join("|")})/` },
    })),
    {
      name: "hardhat-above-only",
      comment:
        "Layers below src/plugin know nothing of Hardhat, except that every error is one of its plugin errors.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: ["^src/(plugin|tasks)/", "^src/errors/hdp-error\\.ts$", edge],
      },
      to: { path: "node_modules/hardhat/" },
    },
    {
      name: "nothing-imports-the-edge",
      comment:
        "Public entries are barrels for users; inside, a file imports what it needs from where it is.",
      severity: "error",
      from: { path: "^src/", pathNot: edge },
      to: { path: edge },
    },
    {
      name: "every-folder-has-a-layer",
      comment: "A new folder of src/ needs a line in this file and in ARCHITECTURE.md.",
      severity: "error",
      from: { path: "^src/", pathNot: [`^src/(${Object.keys(folders).join("|")})/`, edge] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/generated/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
    },
  },
};

// `npm run trips`: prints which files of src have a function that runs in a trip through the plugin, in the order in
// which they are first entered, and how often functions run whose work is wanted once. Fails where one runs more often
// than its trip allows. Each trip is made once before it is counted, so that loading does not count.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { registerHooks } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import ts from "typescript";

import { keysOf } from "../src/base/collections.js";
import { root } from "./root.js";

/** Functions whose work is wanted once in a trip. */
const COUNTED = {
  "destinations resolved": ["plugin/destination.ts destinationStore"],
  "chain ids asked for": ["plugin/connected-network.ts #askChainId"],
  "requests or tasks parsed": ["request/parse.ts parseTaskRequest", "request/parse.ts parseTask"],
};

/** The most that a trip may count. */
type Most = Readonly<Record<keyof typeof COUNTED, number>>;

const ONCE: Most = {
  "destinations resolved": 1,
  "chain ids asked for": 1,
  "requests or tasks parsed": 1,
};

/** A local task is finalized with others of its destination, which is resolved for them; its record is parsed for its value. */
const LOCAL: Most = {
  "destinations resolved": 2,
  "chain ids asked for": 1,
  "requests or tasks parsed": 2,
};

/** The functions of the sources that were loaded. */
const known = new Set<string>();

/** Milliseconds after which a node is asked for its chain's id again. */
const CHAIN_ID_KEPT = 1_100;

/** How often each function was entered, by file and name. */
const entered = new Map<string, number>();
Object.assign(globalThis, {
  entered: (name: string) => entered.set(name, (entered.get(name) ?? 0) + 1),
});

/** Returns the name that a function is declared with; empty for a function without one. */
function nameOf(node: ts.Node): string {
  const named = ts.isVariableDeclaration(node.parent) ? node.parent : node;
  const name = ts.getNameOfDeclaration(named as ts.Declaration);
  const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
  return isNamed ? name.text : "";
}

/** A source with a call of `entered` at the begin of each of its functions. */
function instrumented(path: string): string {
  const file = relative(join(root, "src"), path);
  const callIn = (node: ts.Node): ts.CallExpression => {
    const name = `${file} ${nameOf(node)}`;
    known.add(name);
    const entered = ts.factory.createIdentifier("globalThis.entered");
    const text = ts.factory.createStringLiteral(name);
    return ts.factory.createCallExpression(entered, undefined, [text]);
  };
  const enter: ts.TransformerFactory<ts.SourceFile> = (context) => {
    const visit = (node: ts.Node): ts.Node => {
      const inner = ts.visitEachChild(node, visit, context);
      if (ts.isArrowFunction(inner) && !ts.isBlock(inner.body)) {
        const body = ts.factory.createParenthesizedExpression(
          ts.factory.createComma(callIn(node), inner.body),
        );
        const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = inner;
        return ts.factory.createArrowFunction(
          modifiers,
          typeParameters,
          parameters,
          type,
          equalsGreaterThanToken,
          body,
        );
      }
      const isBody =
        ts.isBlock(inner) &&
        ts.isFunctionLike(node.parent) &&
        !ts.isConstructorDeclaration(node.parent);
      if (!isBody) return inner;
      return ts.factory.createBlock(
        [ts.factory.createExpressionStatement(callIn(node.parent)), ...inner.statements],
        true,
      );
    };
    return (file) => ts.visitEachChild(file, visit, context);
  };
  const { outputText } = ts.transpileModule(readFileSync(path, "utf8"), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024 },
    fileName: path,
    transformers: { before: [enter] },
  });
  return outputText;
}

registerHooks({
  load: (url, context, next) => {
    const path = url.startsWith("file:") ? fileURLToPath(url) : "";
    if (!path.startsWith(join(root, "src")) || !path.endsWith(".ts")) return next(url, context);
    return { format: "module", source: instrumented(path), shortCircuit: true };
  },
});

/** Makes a trip once unseen, and prints the files of the second time, and the counts, which may not be above the most. */
async function trip<T>(
  name: string,
  most: Most,
  inputs: readonly [T, T],
  go: (input: T) => Promise<unknown>,
): Promise<void> {
  const [first, second] = inputs;
  await go(first);
  await setTimeout(CHAIN_ID_KEPT);
  entered.clear();
  await go(second);
  const files = [...new Set([...entered.keys()].map((key) => key.split(" ")[0]))];
  console.log(`${name}: ${files.length} files`);
  for (const what of keysOf(COUNTED)) {
    const unknown = COUNTED[what].filter((key) => !known.has(key));
    if (unknown.length > 0) throw new Error(`no such function: ${unknown.join(", ")}`);
    const times = COUNTED[what].reduce((sum, key) => sum + (entered.get(key) ?? 0), 0);
    console.log(`  ${what}: ${times} of ${most[what]}`);
    if (times > most[what]) process.exitCode = 1;
  }
  for (const file of files) console.log(`  ${file}`);
}

const { createHardhatRuntimeEnvironment } = await import("hardhat/hre");
const { default: hardhatHdp } = await import("../src/index.js");
const { blockSampled, header } = await import("../src/entries/request.js");

const folder = mkdtempSync(join(tmpdir(), "hdp-trips-"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
let accepted = 0;
const service = createServer((request, response) => {
  request.resume();
  response.writeHead(201, { "content-type": "application/json" });
  response.end(JSON.stringify({ uuid: `task-${(accepted += 1)}`, message: "accepted" }));
});
await new Promise<void>((done) => service.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
const programs = [join(root, "examples", "module-balance", "compiled")];
const hre = await createHardhatRuntimeEnvironment(
  {
    plugins: [hardhatHdp],
    networks: {
      remote: {
        type: "edr-simulated",
        hdp: { dataProcessor: { url, apiKey: "a-key-for-nothing" } },
      },
      local: { type: "edr-simulated", hdp: { local: { programs } } },
    },
  },
  { network: "remote" },
  folder,
);

try {
  const { hdp } = await hre.network.create("local");
  const blocks = blockSampled({ from: 0, to: 0, property: header("gas_limit") });
  await trip("hdp.run", LOCAL, [blocks.count("gt", 1n), blocks.count("gt", 2n)], hdp.run);

  const fileOf = (name: string, aggregateFnId: string): string => {
    const sampled = { chainId: "ETHEREUM_SEPOLIA", blockRangeStart: 0, blockRangeEnd: 0 };
    const datalake = { type: "BlockSampled", ...sampled, sampledProperty: "header.gas_limit" };
    const task = { type: "DatalakeCompute", datalake, compute: { aggregateFnId } };
    writeFileSync(
      join(folder, name),
      JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] }),
    );
    return join(folder, name);
  };
  const submit = hre.tasks.getTask("hdp:submit");
  const write = process.stdout.write.bind(process.stdout);
  await trip(
    "hdp:submit to a service",
    ONCE,
    [fileOf("sum.json", "sum"), fileOf("min.json", "min")],
    async (file) => {
      process.stdout.write = () => true;
      await submit
        .run({ file, noWait: true, yes: true })
        .finally(() => (process.stdout.write = write));
    },
  );

  const programHash = "0x2732acfa21f0e25d14fde0605d9db1313937e8d97d721c228731212d7ad987c";
  const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
  const inputs = ["0xaa36a7", account, "0x0", "0x0"].map(
    (value) => ({ visibility: "public", value }) as const,
  );
  const module = { type: "Module", programHash, inputs } as const;
  await trip("a module run", LOCAL, [module, module], hdp.run);
} finally {
  service.close();
  rmSync(folder, { recursive: true });
}
process.exit(process.exitCode ?? 0);

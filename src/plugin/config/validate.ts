import {
  sensitiveStringSchema,
  sensitiveUrlSchema,
  validateUserConfigZodType,
} from "@nomicfoundation/hardhat-zod-utils";
import { z } from "zod";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatUserConfigValidationError } from "hardhat/types/hooks";

import { nearest } from "../../base/text.js";
import { GENERATION_NAMES } from "../../cairo/module-read.js";
import { CHAIN_IDS, findChainIdentifier } from "../../request/chains.js";
import { EDITION_NAMES } from "../../service/data-processor/edition.js";

/** `Did you mean "x"?`, where a word is near. */
export function meant(word: string, words: readonly string[]): string {
  const near = nearest(word, words);
  return near === undefined ? "" : `. Did you mean "${near}"?`;
}

/**
 * Returns the schema of an object with exactly these keys. Its errors name each unknown key, with the key that was
 * probably meant.
 */
function strict<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, "strict"> {
  const keys = Object.keys(shape);
  return z
    .object(shape, {
      errorMap: (issue, { defaultError }) =>
        issue.code === "unrecognized_keys"
          ? { message: issue.keys.map((key) => `there is no "${key}" here${meant(key, keys)}`).join("; ") }
          : { message: defaultError },
    })
    .strict();
}

/** One of the words. */
function oneOf<const T extends readonly [string, ...string[]]>(words: T): z.ZodEnum<z.Writeable<T>> {
  return z.enum(words, {
    errorMap: (issue, { data, defaultError }) => ({
      message:
        issue.code === "invalid_enum_value" && typeof data === "string"
          ? `"${data}" is not one of ${words.join(", ")}${meant(data, words)}`
          : defaultError,
    }),
  });
}

const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "expected an address: 0x and 40 hexadecimal digits");
const felt = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "expected a Starknet address: 0x and up to 64 hexadecimal digits");
const milliseconds = z.number().int().positive();

const dataProcessor = strict({
  url: sensitiveUrlSchema,
  apiKey: sensitiveStringSchema.optional(),
  edition: oneOf(EDITION_NAMES).optional(),
  webhookUrl: sensitiveUrlSchema.optional(),
}).superRefine(({ edition, webhookUrl }, context) => {
  if (webhookUrl === undefined || edition === "module-tasks") return;
  const message = 'only edition "module-tasks" publishes webhooks: use hdp.onFinalized with this one';
  context.addIssue({ code: "custom", path: ["webhookUrl"], message });
});

const starknetAccountSchema = strict({
  address: felt,
  privateKey: sensitiveStringSchema.optional(),
  keystore: strict({ file: z.string().min(1), password: sensitiveStringSchema }).optional(),
  signer: oneOf(["stark", "ethereum"]).optional(),
  guardianKey: sensitiveStringSchema.optional(),
}).superRefine(({ privateKey, keystore, signer, guardianKey }, context) => {
  const refuse = (key: string, message: string): void => {
    context.addIssue({ code: z.ZodIssueCode.custom, path: [key], message });
  };
  if (privateKey === undefined && keystore === undefined) refuse("privateKey", "privateKey or keystore is needed");
  if (privateKey !== undefined && keystore !== undefined) refuse("keystore", "privateKey is given: give one of both");
  if (signer === "ethereum" && guardianKey !== undefined) refuse("guardianKey", "only stark accounts have guardians");
});

/** Schema of `hdp` in a user's configuration; unknown keys are errors, so that a typo is not a silent default. */
export const hdpUserConfigSchema = strict({
  dataProcessor: z
    .custom<unknown>()
    .superRefine((value, context) => {
      if (value === "local") return;
      if (typeof value === "string") {
        context.addIssue({ code: "custom", message: `expected "local" or { url, apiKey, edition }, got "${value}"` });
        return;
      }
      const parsed = dataProcessor.safeParse(value);
      if (!parsed.success) parsed.error.issues.forEach((issue) => context.addIssue(issue));
    })
    .optional(),
  programRegistry: strict({
    submitUrl: sensitiveUrlSchema,
    metadataUrl: sensitiveUrlSchema.optional(),
    apiKey: sensitiveStringSchema.optional(),
  }).optional(),
  storageProof: strict({ url: sensitiveUrlSchema, apiKey: sensitiveStringSchema.optional() }).optional(),
  executionStore: strict({
    address: evmAddress.optional(),
    kind: oneOf(["auto", "execution-store", "satellite"]).optional(),
    operator: evmAddress.optional(),
  }).optional(),
  chains: z.record(z.string()).optional(),
  sources: z.record(z.string()).optional(),
  starknet: z
    .record(
      strict({
        rpcUrl: sensitiveUrlSchema,
        executionStore: felt.optional(),
        entrypoint: z.string().min(1).optional(),
        account: z
          .custom<unknown>()
          .superRefine((value, context) => {
            if (value === undefined) return;
            // A union's errors would not say which field is wrong.
            const schema = typeof value === "string" ? z.string().min(1) : starknetAccountSchema;
            for (const issue of schema.safeParse(value).error?.issues ?? []) context.addIssue(issue);
          })
          .optional(),
        accountsFile: z.string().min(1).optional(),
      }),
    )
    .optional(),
  cairo: strict({
    package: z.string().min(1),
    fixtures: strict({
      tasks: z.array(z.string().min(1)).min(1),
      out: z.string().min(1),
      format: oneOf(["cairo", "json", "txt"]).optional(),
      recording: z.string().min(1).optional(),
    }).optional(),
    snforge: z.string().min(1).optional(),
    snforgeArgs: z.array(z.string().min(1)).optional(),
  }).optional(),
  local: strict({
    prove: oneOf(["require", "when-possible", "never"]).optional(),
    concurrency: z.number().int().min(1).max(1024).optional(),
    finalize: oneOf(["plain", "proven"]).optional(),
    programs: z.array(z.string().min(1)).optional(),
    secondNode: z.string().min(1).optional(),
    checkpoint: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, "expected a block hash: 0x and 64 hexadecimal digits")
      .optional(),
    ethCallModule: z.string().min(1).optional(),
    stateServer: sensitiveUrlSchema.optional(),
    moduleResult: oneOf(["auto", "value", "output-root"]).optional(),
    generation: oneOf(["auto", ...GENERATION_NAMES]).optional(),
  }).optional(),
  timeouts: strict({
    request: milliseconds.optional(),
    await: milliseconds.optional(),
    rpc: milliseconds.optional(),
  }).optional(),
  dataDir: z.string().min(1).optional(),
});

/** Schema of this package's part of a whole user configuration, from the root so that errors have full paths. */
const userConfigSchema = z.object({
  hdp: hdpUserConfigSchema.optional(),
  networks: z.record(z.object({ hdp: hdpUserConfigSchema.optional() }).passthrough()).optional(),
});

type Mistake = HardhatUserConfigValidationError;
type Path = readonly (string | number)[];

/**
 * Returns every mistake in `hdp`, globally and under each network, with its path: wrong forms, and names that do not
 * exist.
 */
export function validateHdpConfig(userConfig: HardhatUserConfig): Mistake[] {
  const { networks } = userConfig;
  const names = [...new Set([...Object.keys(membersOf(networks)), ...BUILT_IN_NETWORKS])];
  const places: [Path, unknown][] = [
    [["hdp"], userConfig.hdp],
    ...Object.entries(membersOf(networks)).map(([name, network]): [Path, unknown] => [
      ["networks", name, "hdp"],
      membersOf(network)["hdp"],
    ]),
  ];
  return [
    ...validateUserConfigZodType(userConfig, userConfigSchema),
    ...places.flatMap(([path, hdp]) => wrongNames(membersOf(hdp), names, path)),
  ];
}

/** Networks that Hardhat defines by itself. */
const BUILT_IN_NETWORKS = ["default", "node", "localhost"];

/**
 * Returns a value's members, none for a value that is not an object: its wrong form is reported as a mistake of its
 * own.
 */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function wrongNames(hdp: Readonly<Record<string, unknown>>, networks: readonly string[], path: Path): Mistake[] {
  const unknownChains = (["chains", "sources", "starknet"] as const).flatMap((section) =>
    Object.keys(membersOf(hdp[section]))
      .filter((chain) => findChainIdentifier(chain) === undefined)
      .map((chain) => ({
        path: [...path, section, chain],
        message: `"${chain}" is not a chain identifier, for instance ETHEREUM_SEPOLIA or STARKNET_SEPOLIA${meant(chain, Object.keys(CHAIN_IDS))}`,
      })),
  );
  const unknownNetworks = (["chains", "sources"] as const).flatMap((section) =>
    Object.entries(membersOf(hdp[section])).flatMap(([chain, network]) =>
      typeof network !== "string" || networks.includes(network)
        ? []
        : [{ path: [...path, section, chain], message: noNetwork(network, networks) }],
    ),
  );
  return [...unknownChains, ...unknownNetworks, ...wrongSecondNode(hdp, networks, path)];
}

function noNetwork(name: string, networks: readonly string[]): string {
  return `there is no network "${name}" in this configuration${meant(name, networks)}`;
}

/** Reports a second node that is the network itself, which would only ask the same node twice. */
function wrongSecondNode(
  { local }: Readonly<Record<string, unknown>>,
  networks: readonly string[],
  path: Path,
): Mistake[] {
  const name = membersOf(local)["secondNode"];
  if (typeof name !== "string" || name === "") return [];
  const place = [...path, "local", "secondNode"];
  if (!networks.includes(name)) return [{ path: place, message: noNetwork(name, networks) }];
  return name === path[1]
    ? [{ path: place, message: "this is the network itself: name another node of its chain" }]
    : [];
}

import {
  conditionalUnionType,
  sensitiveStringSchema,
  sensitiveUrlSchema,
  validateUserConfigZodType,
} from "@nomicfoundation/hardhat-zod-utils";
import { z } from "zod";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatUserConfigValidationError } from "hardhat/types/hooks";

import { isRecord, keysOf } from "../../base/collections.js";
import { addressFault } from "../../base/hex.js";
import { SERVICE_ADDRESS, serviceAddressFault } from "../../base/loopback.js";
import { nearest } from "../../base/text.js";
import { GENERATION_NAMES } from "../../cairo/module-read.js";
import { findChainIdentifier, isStarknet } from "../../request/chains.js";
import { nearestChain } from "../../request/chain-names.js";
import { EDITION_NAMES } from "../../service/data-processor/edition.js";
import { KNOWN_SERVICES } from "../../service/known-services.js";
import type {
  CairoUserConfig,
  DataProcessorUserConfig,
  ExecutionStoreUserConfig,
  HdpUserConfig,
  LocalUserConfig,
  ProgramRegistryUserConfig,
  StarknetAccountUserConfig,
  StarknetUserConfig,
  StorageProofUserConfig,
  TimeoutsUserConfig,
} from "./config.js";

/** Returns `. Did you mean "x"?` where a word is near. */
function meant(near: string | undefined): string {
  return near === undefined ? "" : `. Did you mean "${near}"?`;
}

/** Returns what was meant by a key; where none is near, those that there are. */
function meantOrAllowed(key: string, keys: readonly string[]): string {
  const near = nearest(key, keys);
  return near === undefined ? `: allowed are ${keys.join(", ")}` : meant(near);
}

/** A schema for each field of a section: one that is missing, or is no field, does not compile. */
type Shape<Section> = Readonly<Record<keyof Section, z.ZodTypeAny>>;

/** Returns the schema of an object with exactly these keys: a typo is an error, not a silent default. */
function strict<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, "strict"> {
  const keys = Object.keys(shape);
  return z
    .object(shape, {
      errorMap: (issue, { data, defaultError }) =>
        issue.code === "unrecognized_keys"
          ? {
              message: issue.keys
                .map((key) => `there is no "${key}" here${meantOrAllowed(key, keys)}`)
                .join("; "),
            }
          : { message: data === undefined ? defaultError : `expected { ${keys.join(", ")} }` },
    })
    .strict();
}

function wordEnum<const T extends readonly [string, ...string[]]>(
  words: T,
): z.ZodEnum<z.Writeable<T>> {
  return z.enum(words, {
    errorMap: (issue, { data, defaultError }) => ({
      message:
        issue.code === "invalid_enum_value" && typeof data === "string"
          ? `"${data}" is not one of ${words.join(", ")}${meant(nearest(data, words))}`
          : defaultError,
    }),
  });
}

/** Returns the schema of a text for which `problem` returns no sentence. */
function textWithout(problem: (text: string) => string | undefined): z.ZodType<string> {
  return z.string().superRefine((text, context) => {
    const message = problem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

/**
 * Returns the schema of a text or an object, whose errors say which field is wrong.
 *
 * @param expected what is said of a value that is neither; without it, what `object` says
 */
function textOr(words: z.ZodType<string>, object: z.ZodTypeAny, expected?: string): z.ZodTypeAny {
  return conditionalUnionType(
    [
      [(value) => typeof value === "string", words],
      [(value) => expected === undefined || isRecord(value), object],
    ],
    expected ?? "",
  );
}

const text = z.string().min(1);
const evmAddress = textWithout((address) => {
  const fault = addressFault(address);
  if (fault === undefined) return undefined;
  return fault.checksum === undefined
    ? `expected an address: 0x and 40 hexadecimal digits${fault.digits}`
    : `the checksum of "${address}" is wrong, a digit may be mistyped: with these digits it is ${fault.checksum}`;
});
/** A text that is no URL is not printed: it may hold a key. */
const url = textOr(
  textWithout((address) =>
    URL.canParse(address)
      ? undefined
      : 'expected a URL with its scheme, for instance "https://hdp.example.org"',
  ),
  sensitiveUrlSchema,
);
/** The address of a service. What is refused is not printed: it may hold a key. */
const serviceUrl = textOr(
  textWithout((address) => {
    if (!URL.canParse(address))
      return 'expected a URL with its scheme, for instance "https://hdp.example.org"';
    const fault = serviceAddressFault(new URL(address));
    return fault && `${fault}. ${SERVICE_ADDRESS}`;
  }),
  sensitiveUrlSchema,
);
const felt = z
  .string()
  .regex(
    /^0x[0-9a-fA-F]{1,64}$/,
    "expected a Starknet address: 0x and up to 64 hexadecimal digits",
  );
const chain = textWithout((name) =>
  findChainIdentifier(name) === undefined
    ? `"${name}" is not a chain identifier, for instance ETHEREUM_SEPOLIA or STARKNET_SEPOLIA${meant(nearestChain(name))}`
    : undefined,
);
const starknetChain = textWithout((name) => {
  const found = findChainIdentifier(name);
  return found === undefined || !isStarknet(found)
    ? `"${name}" is not a Starknet chain: STARKNET_MAINNET or STARKNET_SEPOLIA`
    : undefined;
});
const milliseconds = z
  .number({
    errorMap: (issue, { data, defaultError }) => ({
      message:
        issue.code === "invalid_type" && typeof data === "string"
          ? `expected milliseconds, got "${data}": ${secondsIn(data)}`
          : defaultError,
    }),
  })
  .int()
  .positive();

/** Returns what to write for a text such as "30s". */
function secondsIn(text: string): string {
  const [, amount, unit = "ms"] = /^(\d{1,9})\s*(ms|s|m|min)?$/.exec(text) ?? [];
  const factor = { ms: 1, s: 1_000, m: 60_000, min: 60_000 }[unit];
  return amount === undefined || factor === undefined
    ? "write a number, for instance 30_000"
    : `write ${Number(amount) * factor}`;
}
const STORE_KINDS = ["auto", "execution-store", "satellite"] as const;

/** Options of one API version, with what it publishes. */
const MODULE_TASKS_ONLY = {
  webhookUrl: "webhooks: use hdp.onFinalized with this one",
  isMock: "mock tasks",
  scheduleMode: "a schedule",
  injectedStateServer: "a server of injected state",
} as const;

const dataProcessor = strict({
  url: serviceUrl,
  apiKey: sensitiveStringSchema.optional(),
  edition: wordEnum(EDITION_NAMES).optional(),
  loginUrl: serviceUrl.optional(),
  indexerUrl: serviceUrl.optional(),
  webhookUrl: url.optional(),
  isMock: z.boolean().optional(),
  scheduleMode: text.optional(),
  injectedStateServer: url.optional(),
} satisfies Shape<DataProcessorUserConfig>).superRefine((given, context) => {
  if (given.edition === "module-tasks") return;
  for (const option of keysOf(MODULE_TASKS_ONLY)) {
    if (given[option] === undefined) continue;
    const message = `only API version "module-tasks" publishes ${MODULE_TASKS_ONLY[option]}`;
    context.addIssue({ code: "custom", path: [option], message });
  }
});

const starknetAccount = strict({
  address: felt,
  privateKey: sensitiveStringSchema.optional(),
  keystore: strict({ file: z.string().min(1), password: sensitiveStringSchema }).optional(),
  signer: wordEnum(["stark", "ethereum"]).optional(),
  guardianKey: sensitiveStringSchema.optional(),
} satisfies Shape<StarknetAccountUserConfig>).superRefine(
  ({ privateKey, keystore, signer, guardianKey }, context) => {
    const refuse = (key: string, message: string): void =>
      context.addIssue({ code: "custom", path: [key], message });
    if (privateKey === undefined && keystore === undefined)
      refuse("privateKey", "privateKey or keystore is needed");
    if (privateKey !== undefined && keystore !== undefined)
      refuse("keystore", "privateKey is given: give one of both");
    if (signer === "ethereum" && guardianKey !== undefined)
      refuse("guardianKey", "only stark accounts have guardians");
  },
);

const PROCESSOR_NAMES: readonly string[] = ["local", ...keysOf(KNOWN_SERVICES)];
const PROCESSOR_FORMS = `expected ${PROCESSOR_NAMES.map((name) => `"${name}"`).join(", ")} or { url, apiKey, edition }`;

/** Returns what is wrong with a data processor that is configured as a text. */
function processorNameFault(value: string): string | undefined {
  if (PROCESSOR_NAMES.includes(value)) return undefined;
  return `${PROCESSOR_FORMS}, got "${value}"${meant(nearest(value, PROCESSOR_NAMES))}`;
}

/** Returns what is wrong with a text in place of a storage proof interface; undefined for a hosted service. */
function storageProofNameFault(value: string): string | undefined {
  const names: readonly string[] = keysOf(KNOWN_SERVICES);
  if (names.includes(value)) return undefined;
  const allowed = names.map((name) => `"${name}"`).join(", ");
  return `expected ${allowed} or { url, apiKey }, got "${value}"${meant(nearest(value, names))}`;
}

/** Returns what is wrong with a text in place of a program registry: the hosted one is at the data processor. */
function registryNameFault(value: string): string {
  const isKnown = keysOf(KNOWN_SERVICES).some((name) => name === value);
  return isKnown
    ? `the module registry of "${value}" is at its data processor: dataProcessor: "${value}" is all that hdp program upload needs`
    : `expected { submitUrl, metadataUrl, apiKey }, got "${value}"`;
}

/** Returns the schema of `hdp`, globally or of the network `own`. @param networks names of all networks */
export function hdpSchema(networks: readonly string[], own?: string): z.ZodTypeAny {
  const noNetwork = (name: string): string | undefined =>
    networks.includes(name)
      ? undefined
      : `there is no network "${name}" in this configuration${meant(nearest(name, networks))}`;
  const network = textWithout(noNetwork);
  const sections = {
    dataProcessor: textOr(
      textWithout((value) => processorNameFault(value)),
      dataProcessor,
      PROCESSOR_FORMS,
    ),
    programRegistry: textOr(
      textWithout((value) => registryNameFault(value)),
      strict({
        submitUrl: serviceUrl,
        metadataUrl: serviceUrl.optional(),
        apiKey: sensitiveStringSchema.optional(),
      } satisfies Shape<ProgramRegistryUserConfig>),
    ),
    storageProof: textOr(
      textWithout((value) => storageProofNameFault(value)),
      strict({
        url: serviceUrl,
        apiKey: sensitiveStringSchema.optional(),
      } satisfies Shape<StorageProofUserConfig>),
    ),
    executionStore: strict({
      address: evmAddress,
      kind: wordEnum(STORE_KINDS),
      operator: evmAddress,
    } satisfies Shape<ExecutionStoreUserConfig>).partial(),
    chains: z.record(chain, network),
    sources: z.record(chain, network),
    starknet: z.record(
      starknetChain,
      strict({
        rpcUrl: url,
        executionStore: felt.optional(),
        entrypoint: text.optional(),
        account: textOr(text, starknetAccount).optional(),
        accountsFile: text.optional(),
      } satisfies Shape<StarknetUserConfig>),
    ),
    cairo: strict({
      package: text,
      fixtures: strict({
        tasks: z.array(text).min(1),
        out: text,
        format: wordEnum(["cairo", "json", "txt"]).optional(),
        recording: text.optional(),
      } satisfies Shape<NonNullable<CairoUserConfig["fixtures"]>>).optional(),
      snforge: text.optional(),
      snforgeArgs: z.array(text).optional(),
    } satisfies Shape<CairoUserConfig>),
    local: strict({
      edition: wordEnum(EDITION_NAMES),
      prove: wordEnum(["require", "when-possible", "never"]),
      concurrency: z.number().int().min(1).max(1024),
      finalize: wordEnum(["plain", "proven"]),
      programs: z.array(text),
      secondNode: textWithout((name) =>
        name === own
          ? "this is the network itself: name another node of its chain"
          : noNetwork(name),
      ),
      checkpoint: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/, "expected a block hash: 0x and 64 hexadecimal digits"),
      ethCallModule: text,
      stateServer: serviceUrl,
      moduleResult: wordEnum(["auto", "value", "output-root"]),
      generation: wordEnum(["auto", ...GENERATION_NAMES]),
    } satisfies Shape<LocalUserConfig>).partial(),
    timeouts: strict({
      request: milliseconds,
      await: milliseconds,
      rpc: milliseconds,
    } satisfies Shape<TimeoutsUserConfig>).partial(),
    dataDir: text,
  } satisfies Shape<Omit<HdpUserConfig, "development">>;
  return strict(own === undefined ? sections : { ...sections, development: z.boolean() })
    .partial()
    .optional();
}

const BUILT_IN_NETWORKS = ["default", "node", "localhost"];

/** Returns every error in `hdp`, globally and under each network, with its path. */
export function validateHdpConfig(
  userConfig: HardhatUserConfig,
): HardhatUserConfigValidationError[] {
  const own = isRecord(userConfig.networks) ? Object.keys(userConfig.networks) : [];
  const names = [...own, ...BUILT_IN_NETWORKS];
  const networks = own.map((name) => [name, z.object({ hdp: hdpSchema(names, name) })] as const);
  const schema = z.object({
    hdp: hdpSchema(names),
    networks: z.object(Object.fromEntries(networks)).optional(),
  });
  return validateUserConfigZodType(userConfig, schema);
}

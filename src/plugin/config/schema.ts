import { sensitiveStringSchema, sensitiveUrlSchema } from "@nomicfoundation/hardhat-zod-utils";
import { z } from "zod";

import { GENERATION_NAMES } from "../../cairo/generation-names.js";
import { EDITION_NAMES } from "../../service/data-processor/edition-names.js";

const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "expected an address: 0x and 40 hexadecimal digits");
const felt = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "expected a Starknet address: 0x and up to 64 hexadecimal digits");
const milliseconds = z.number().int().positive();

const dataProcessor = z
  .object({
    url: sensitiveUrlSchema,
    apiKey: sensitiveStringSchema.optional(),
    edition: z.enum(EDITION_NAMES).optional(),
  })
  .strict();

const starknetAccountSchema = z
  .object({
    address: felt,
    privateKey: sensitiveStringSchema.optional(),
    keystore: z
      .object({ file: z.string().min(1), password: sensitiveStringSchema })
      .strict()
      .optional(),
    signer: z.enum(["stark", "ethereum"]).optional(),
    guardianKey: sensitiveStringSchema.optional(),
  })
  .strict()
  .superRefine(({ privateKey, keystore, signer, guardianKey }, context) => {
    const refuse = (key: string, message: string): void => {
      context.addIssue({ code: z.ZodIssueCode.custom, path: [key], message });
    };
    if (privateKey === undefined && keystore === undefined) refuse("privateKey", "privateKey or keystore is needed");
    if (privateKey !== undefined && keystore !== undefined) refuse("keystore", "privateKey is given: give one of both");
    if (signer === "ethereum" && guardianKey !== undefined) refuse("guardianKey", "only stark accounts have guardians");
  });

/** Schema of `hdp` in a user's configuration; unknown keys are errors, so that a typo is not a silent default. */
export const hdpUserConfigSchema = z
  .object({
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
    programRegistry: z
      .object({
        submitUrl: sensitiveUrlSchema,
        metadataUrl: sensitiveUrlSchema.optional(),
        apiKey: sensitiveStringSchema.optional(),
      })
      .strict()
      .optional(),
    storageProof: z.object({ url: sensitiveUrlSchema, apiKey: sensitiveStringSchema.optional() }).strict().optional(),
    executionStore: z
      .object({
        address: evmAddress.optional(),
        kind: z.enum(["auto", "execution-store", "satellite"]).optional(),
        operator: evmAddress.optional(),
      })
      .strict()
      .optional(),
    chains: z.record(z.string()).optional(),
    sources: z.record(z.string()).optional(),
    starknet: z
      .record(
        z
          .object({
            rpcUrl: sensitiveUrlSchema,
            executionStore: felt.optional(),
            entrypoint: z.string().min(1).optional(),
            account: starknetAccountSchema.optional(),
          })
          .strict(),
      )
      .optional(),
    cairo: z
      .object({
        package: z.string().min(1),
        fixtures: z
          .object({
            tasks: z.array(z.string().min(1)).min(1),
            out: z.string().min(1),
            format: z.enum(["cairo", "json", "txt"]).optional(),
          })
          .strict()
          .optional(),
        snforge: z.string().min(1).optional(),
      })
      .strict()
      .optional(),
    local: z
      .object({
        prove: z.enum(["require", "when-possible", "never"]).optional(),
        concurrency: z.number().int().min(1).max(1024).optional(),
        finalize: z.enum(["plain", "proven"]).optional(),
        programs: z.array(z.string().min(1)).optional(),
        secondNode: z.string().min(1).optional(),
        checkpoint: z
          .string()
          .regex(/^0x[0-9a-fA-F]{64}$/, "expected a block hash: 0x and 64 hexadecimal digits")
          .optional(),
        ethCallModule: z.string().min(1).optional(),
        stateServer: sensitiveUrlSchema.optional(),
        moduleResult: z.enum(["auto", "value", "output-root"]).optional(),
        generation: z.enum(["auto", ...GENERATION_NAMES]).optional(),
      })
      .strict()
      .optional(),
    timeouts: z
      .object({ request: milliseconds.optional(), await: milliseconds.optional(), rpc: milliseconds.optional() })
      .strict()
      .optional(),
    journal: z.string().min(1).optional(),
  })
  .strict();

/** The part of a whole user configuration that belongs to this package, from the root so that paths come out right. */
export const userConfigSchema = z.object({
  hdp: hdpUserConfigSchema.optional(),
  networks: z.record(z.object({ hdp: hdpUserConfigSchema.optional() }).passthrough()).optional(),
});

import type { Account, AccountOptions, SuccessfulTransactionReceiptResponse, UniversalDetails } from "starknet";
import type { Hex } from "viem";
import { createDecipheriv, scrypt, timingSafeEqual } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { z } from "zod";

import { readTextFile, systemErrorCode, systemErrorWord } from "../../base/files.js";
import { jsonOrUndefined } from "../../base/json.js";
import { HdpError } from "../../errors/hdp-error.js";
import { loadStarknet, nodeOptions, type StarknetJs } from "./node.js";
import { starknetAddress } from "./starknet-execution-store.js";

/** An account that pays for and signs transactions, on a devnet as a rule. */
export interface StarknetAccountOptions {
  readonly rpcUrl: string;
  /** Sends the requests to `rpcUrl`. Default: the global fetch, waiting 30 s for what is read, and taking 64 MiB. */
  readonly baseFetch?: typeof fetch | undefined;
  readonly accountAddress: string;
  /** Called when a transaction is to be signed for the first time; the key is kept nowhere else. */
  readonly privateKey: () => string | Promise<string>;
  /**
   * What the account's contract checks: a signature on Starknet's own curve (`stark`, the default: OpenZeppelin, Argent
   * and Ready without a guardian), or on Ethereum's (`ethereum`: OpenZeppelin's EthAccount).
   */
  readonly signer?: StarknetSignerKind | undefined;
  /** The guardian's key of an Argent or Ready account that has one; it signs behind the owner. */
  readonly guardianKey?: (() => string | Promise<string>) | undefined;
}

export const STARKNET_SIGNERS = ["stark", "ethereum"] as const;

export type StarknetSignerKind = (typeof STARKNET_SIGNERS)[number];

/**
 * The account of starknet.js; the keys are asked for, nothing is sent.
 *
 * @throws HDP-8006 not an address, HDP-8022 not a key
 */
export async function openAccount(options: StarknetAccountOptions): Promise<Account> {
  const address = starknetAddress(options.accountAddress);
  const starknet = await loadStarknet();
  return new starknet.Account({ provider: nodeOptions(options), address, signer: await signerOf(options, starknet) });
}

/* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment --
   starknet.js declares its interface of signers as a class, which its own signers implement and do not extend. */

/** A key alone is signed with as starknet.js does; the signer's own classes do the rest. */
async function signerOf(
  { signer, privateKey, guardianKey }: StarknetAccountOptions,
  { EthSigner, Signer, ec, stark }: StarknetJs,
): Promise<AccountOptions["signer"]> {
  if (signer === "ethereum") {
    const key = await privateKey();
    return await usable("private key", key, async () => {
      const ethereum = new EthSigner(key);
      await ethereum.getPubKey();
      return ethereum;
    });
  }
  const starkKey = async (name: string, key: string): Promise<string> =>
    await usable(name, key, () => {
      ec.starkCurve.getStarkKey(key);
      return key;
    });
  const key = await starkKey("private key", await privateKey());
  const given = await guardianKey?.();
  if (given === undefined) return key;
  const guardian = await starkKey("guardian's key", given);
  class GuardedSigner extends Signer {
    protected override async signRaw(hash: string): Promise<string[]> {
      const signatures = [key, guardian].map((one) => stark.formatSignature(ec.starkCurve.sign(hash, one)));
      return await Promise.resolve(signatures.flat());
    }
  }
  return new GuardedSigner(key);
}

/* eslint-enable */

/**
 * What the curve takes as a key. Texts without 0x are refused, which starknet.js reads as decimal numbers; its errors
 * repeat the key, and are dropped.
 */
async function usable<T>(name: string, key: string, use: () => T | Promise<T>): Promise<T> {
  try {
    if (/^0x[0-9a-fA-F]{1,64}$/.test(key)) return await use();
  } catch {
    // Zero, or not below the curve's order.
  }
  throw new HdpError({
    code: "HDP-8022",
    message: `the account's ${name} is none: it is not 0x and up to 64 hexadecimal digits, or no number of the curve.`,
    hints: ["Check the configuration variable, environment variable or keystore that it is read from."],
  });
}

/**
 * No tip: it would be estimated from the latest blocks, which a devnet has too few of. Fees are estimated with the
 * account's validation, which costs an Ethereum signature more than all the rest.
 */
export const TRANSACTION: UniversalDetails = { tip: 0n, skipValidate: false };

/** Does the work; what the network says against it becomes HDP-8008. */
export async function refused<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new HdpError({
      code: "HDP-8008",
      message: `the Starknet network refused to ${what}: ${reasonOf(error)}`,
      hints: ["Check that the node answers, that the account is deployed and funded there, and that it owns the mock."],
    });
  }
}

/**
 * What contracts panicked with, quoted by the network as `0x… ('REASON')`; else the end of its text. starknet.js quotes
 * the whole request before it, class included.
 */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const panics = [...message.slice(-4000).matchAll(/\('([^']+)'\)/g)].map(([, reason = ""]) => reason);
  const reasons = [...new Set(panics)].filter((reason) => reason !== "ENTRYPOINT_FAILED");
  if (reasons.length > 0) return reasons.join(", ");
  const end = message.length > 300 ? message.slice(-300).replace(/^\S*\s+/, "") : message;
  return end.replace(/\b\w+:\/\/\S+/g, "<url>");
}

/** A felt as the hexadecimal number it is. */
export function starknetHex(value: string): Hex {
  return `0x${BigInt(value).toString(16)}`;
}

/** Waits until the network has executed a transaction, asking twice a second: devnets answer at once. */
export async function executed(
  account: Account,
  transactionHash: string,
): Promise<SuccessfulTransactionReceiptResponse> {
  const receipt = await account.provider.waitForTransaction(transactionHash, { retryInterval: 500 });
  if (receipt.isSuccess()) return receipt;
  throw new Error(receipt.isReverted() ? receipt.revert_reason : "it was not accepted");
}

const bytes = z
  .string()
  .regex(/^(0x)?([0-9a-fA-F]{2})*$/)
  .transform((text) => Buffer.from(text.replace(/^0x/, ""), "hex"));
const size = z.number().int().positive();

/** A key in the form that sncast and starkli write: Web3 secret storage, version 3, with scrypt. */
const keystoreSchema = z.object({
  version: z.literal(3),
  crypto: z.object({
    cipher: z.literal("aes-128-ctr"),
    cipherparams: z.object({ iv: bytes }),
    ciphertext: bytes,
    kdf: z.literal("scrypt"),
    kdfparams: z.object({ dklen: z.literal(32), n: size.max(2 ** 22), p: size.max(64), r: size.max(64), salt: bytes }),
    mac: bytes,
  }),
});

/** The private key in a keystore file. @throws HDP-8021 as `openKeystore` does, and where there is no such file */
export async function readKeystore(file: string, password: string): Promise<string> {
  const text = await readTextFile(file).catch((error: unknown) => {
    const isAbsent = systemErrorCode(error) === "ENOENT";
    throw refusal(isAbsent ? `there is no file ${file}` : `${file} can't be read (${systemErrorWord(error)})`);
  });
  return await openKeystore(text, password);
}

/**
 * The private key in a keystore.
 *
 * @param text the file's text
 * @throws HDP-8021 when it is no keystore of that form, or the password is another
 */
export async function openKeystore(text: string, password: string): Promise<string> {
  const parsed = keystoreSchema.safeParse(jsonOrUndefined(text));
  if (!parsed.success) throw refusal("it is no keystore of version 3 with aes-128-ctr and scrypt");
  const { cipherparams, ciphertext, kdfparams, mac } = parsed.data.crypto;
  const derived = await derive(password, kdfparams);
  const expected = Buffer.from(keccak_256(Buffer.concat([derived.subarray(16, 32), ciphertext])));
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) throw refusal("the password is another");
  const decipher = createDecipheriv("aes-128-ctr", derived.subarray(0, 16), cipherparams.iv);
  const key = Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  return `0x${key.toString("hex")}`;
}

async function derive(
  password: string,
  { dklen, n, p, r, salt }: z.output<typeof keystoreSchema>["crypto"]["kdfparams"],
): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const limits = { N: n, p, r, maxmem: 256 * n * r + 256 * r * p + 2 ** 20 };
    scrypt(password, salt, dklen, limits, (error, key) => {
      if (error === null) resolve(key);
      else reject(refusal("its scrypt parameters can't be used"));
    });
  });
}

function refusal(why: string): HdpError {
  return new HdpError({
    code: "HDP-8021",
    message: `the account's keystore can't be opened: ${why}.`,
    hints: ["Check the file, which sncast or starkli wrote, and the configuration variable with its password."],
  });
}

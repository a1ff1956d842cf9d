import { createDecipheriv, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

import { keccak_256 } from "@noble/hashes/sha3.js";
import { z } from "zod";

import { readTextFile, systemErrorCode, systemErrorWord } from "../../base/files.js";
import { jsonOrUndefined } from "../../base/json.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import { starknetProvider } from "./starknet-js.js";

const bytes = z
  .string()
  .regex(/^(0x)?([0-9a-fA-F]{2})*$/)
  .transform((text) => Buffer.from(text.replace(/^0x/, ""), "hex"));
const size = z.number().int().positive();

/** A key in the format that sncast and starkli write: Web3 secret storage, version 3, with scrypt. */
const keystoreSchema = z.object({
  version: z.literal(3),
  crypto: z.object({
    cipher: z.literal("aes-128-ctr"),
    cipherparams: z.object({ iv: bytes }),
    ciphertext: bytes,
    kdf: z.literal("scrypt"),
    kdfparams: z.object({
      dklen: z.literal(32),
      n: size.max(2 ** 22),
      p: size.max(64),
      r: size.max(64),
      salt: bytes,
    }),
    mac: bytes,
  }),
});

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Returns the private key in a keystore file. @throws HdpError HDP-8022 for no file, another format or password */
export async function readKeystore(file: string, password: string): Promise<string> {
  const text = await readTextFile(file).catch((error: unknown) => {
    const isAbsent = systemErrorCode(error) === "ENOENT";
    throw refusal(
      isAbsent ? `there is no file ${file}` : `${file} can't be read (${systemErrorWord(error)})`,
    );
  });
  const parsed = keystoreSchema.safeParse(jsonOrUndefined(text));
  if (!parsed.success)
    throw refusal("it is not a keystore of version 3 with aes-128-ctr and scrypt");
  const { cipherparams, ciphertext, kdfparams, mac } = parsed.data.crypto;
  const { dklen, n, p, r, salt } = kdfparams;
  const options = { N: n, p, r, maxmem: 256 * n * r + 256 * r * p + 2 ** 20 };
  const derived = await derive(password, salt, dklen, options).catch(() => {
    throw refusal("its scrypt parameters are invalid");
  });
  const expected = Buffer.from(keccak_256(Buffer.concat([derived.subarray(16, 32), ciphertext])));
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
    throw refusal("wrong password");
  const decipher = createDecipheriv("aes-128-ctr", derived.subarray(0, 16), cipherparams.iv);
  return `0x${Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("hex")}`;
}

const accountsSchema = z.record(
  z.record(z.object({ address: z.string(), private_key: z.string().optional() })),
);
const predeployedSchema = z.object({
  result: z.array(z.object({ address: z.string(), private_key: z.string() })),
});

/**
 * Returns the address and the private key of an account by its name, as sncast does: `devnet-1` is the first
 * predeployed account of a devnet, other names are looked up in sncast's `file`, under its `network`.
 * @throws HdpError HDP-8022
 */
export async function namedAccount(
  name: string,
  { rpcUrl, file, network }: Readonly<Record<"rpcUrl" | "file" | "network", string>>,
): Promise<{ readonly address: string; readonly privateKey: string }> {
  const unknown = (reason: string): HdpError =>
    hdpError("HDP-8022", { name: `name "${name}"`, reason });
  const position = /^devnet-([1-9]\d*)$/.exec(name)?.[1];
  if (position !== undefined) {
    const { channel } = await starknetProvider({ rpcUrl });
    const asked = async (): Promise<unknown> =>
      await (await channel.fetch("devnet_getPredeployedAccounts")).json();
    const accounts = predeployedSchema.safeParse(await asked().catch(() => undefined)).data?.result;
    if (accounts === undefined) throw unknown("no devnet answers at its rpcUrl");
    const found = accounts[Number(position) - 1];
    if (found === undefined) throw unknown(`the devnet has ${accounts.length}`);
    return { address: found.address, privateKey: found.private_key };
  }
  const text = await readTextFile(file).catch((error: unknown) => {
    throw unknown(`${file} can't be read (${systemErrorWord(error)})`);
  });
  const accounts = accountsSchema.safeParse(jsonOrUndefined(text)).data;
  if (accounts === undefined) throw unknown(`${file} is not a file of sncast's accounts`);
  const named = accounts[network] ?? {};
  const { address, private_key: privateKey } = named[name] ?? {};
  if (address === undefined)
    throw unknown(`${file} has for ${network}: ${Object.keys(named).join(", ") || "none"}`);
  if (privateKey === undefined) throw unknown(`${file} has no private key of it`);
  return { address, privateKey };
}

function refusal(reason: string): HdpError {
  return hdpError("HDP-8022", { name: "keystore", reason });
}

import { createDecipheriv, scrypt, timingSafeEqual } from "node:crypto";

import { keccak_256 } from "@noble/hashes/sha3.js";
import { z } from "zod";

import { HdpError } from "../../base/errors.js";
import { jsonOrUndefined } from "../../base/json-text.js";
import { systemErrorCode, systemErrorWord } from "../../base/system-error.js";
import { readTextFile } from "../../base/text-file.js";

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

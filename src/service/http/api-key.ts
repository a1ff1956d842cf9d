import { isHdpError } from "../../base/errors.js";
import { ServiceConfigurationError } from "./service-errors.js";
import { type KeySource, Redactor, Secret } from "./secrets.js";

/** Where a call carries its key. */
export interface KeyPlacement {
  readonly in: "header" | "query";
  readonly name: string;
}

/** The key of one client: read when first needed, kept, and known to the client's redactor from then on. */
export class ApiKey {
  public readonly redactor = new Redactor();
  readonly #service: string;
  readonly #source: KeySource | undefined;
  #read: Promise<Secret> | undefined;

  public constructor(service: string, source: KeySource | undefined) {
    this.#service = service;
    this.#source = source;
  }

  /** A failed reading is not kept: the next call asks again. */
  public async read(): Promise<Secret> {
    this.#read ??= this.#load();
    try {
      return await this.#read;
    } catch (error) {
      this.#read = undefined;
      throw error;
    }
  }

  async #load(): Promise<Secret> {
    if (this.#source === undefined) {
      throw new ServiceConfigurationError({
        code: "HDP-2003",
        message: `no API key for ${this.#service}.`,
        hints: ["This call needs one: configure apiKey. Nothing was sent."],
      });
    }
    let value: string;
    try {
      value = await this.#source();
    } catch (error) {
      if (isHdpError(error)) throw error;
      throw new ServiceConfigurationError({
        code: "HDP-2012",
        message: `the API key for ${this.#service} could not be read.`,
        hints: ["Its cause is attached. Nothing was sent."],
        cause: error,
      });
    }
    const fault = faultOf(value);
    if (fault !== undefined) {
      throw new ServiceConfigurationError({
        code: "HDP-2011",
        message: `the API key for ${this.#service} cannot be used: ${fault}.`,
        hints: ["A key is printable ASCII text without spaces. Set it again. Nothing was sent."],
      });
    }
    const secret = new Secret(value);
    this.redactor.learn(secret);
    return secret;
  }
}

/** What is wrong with a key, told without showing any of it. */
function faultOf(value: unknown): string | undefined {
  if (typeof value !== "string") return "it is not text";
  if (value === "") return "it is empty";
  if (value.trim() !== value) return "it starts or ends with white space";
  return /^[\x21-\x7e]+$/.test(value) ? undefined : "it holds a character that is not printable ASCII";
}

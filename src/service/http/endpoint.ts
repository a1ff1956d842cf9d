import { isHdpError } from "../../errors/hdp-error.js";
import { type KeySource, Redactor, Secret } from "./secrets.js";
import { ServiceConfigurationError, ServiceValidationError } from "./service-errors.js";

/** The base address of a service. Its text is not repeated in the error when it may hold a password or a key. */
export function baseAddress(text: string, service: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fault = url === undefined ? "it is not an address" : addressFault(url);
  if (url !== undefined && fault === undefined) return url;
  throw new ServiceConfigurationError({
    code: "HDP-2010",
    message: `the address of ${service} cannot be used: ${fault ?? ""}.`,
    hints: [
      "Allowed is http:// or https:// with host, port and path; keys are configured as apiKey. Nothing was sent.",
    ],
  });
}

function addressFault(url: URL): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return `its scheme is ${url.protocol}`;
  if (url.username !== "" || url.password !== "") return "it holds a user name or password";
  if (url.search !== "" || url.hash !== "") return "it holds a query or a fragment";
  return undefined;
}

/** The address of one call: the base's path, then each segment percent-encoded. */
export function callAddress(
  base: URL,
  call: { readonly path: readonly string[]; readonly query?: Readonly<Record<string, string>> },
): URL {
  const url = new URL(base);
  url.pathname = [url.pathname.replace(/\/+$/, ""), ...call.path.map(segment)].join("/");
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  return url;
}

function segment(text: string): string {
  if (text === "" || text === "." || text === "..") {
    throw new ServiceValidationError({
      code: "HDP-2025",
      message: `"${text}" is no id.`,
      hints: ["Give the id as the service returned it. Nothing was sent."],
    });
  }
  return encodeURIComponent(text);
}

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

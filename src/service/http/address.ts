import { ServiceConfigurationError, ServiceValidationError } from "./service-errors.js";

/** The base address of a service. Its text is not repeated in the error when it may hold a password or a key. */
export function baseAddress(text: string, service: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fault = url === undefined ? "it is not an address" : faultOf(url);
  if (url !== undefined && fault === undefined) return url;
  throw new ServiceConfigurationError({
    code: "HDP-2010",
    message: `the address of ${service} cannot be used: ${fault ?? ""}.`,
    hints: [
      "Allowed is http:// or https:// with host, port and path; keys are configured as apiKey. Nothing was sent.",
    ],
  });
}

function faultOf(url: URL): string | undefined {
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

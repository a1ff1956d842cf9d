import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");
LOOPBACK.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** Returns whether a host, as a URL has it, is a loopback address or localhost. Other names may resolve to any address. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const version = isIP(host);
  if (version === 0) return host === "localhost" || host.endsWith(".localhost");
  return LOOPBACK.check(host, version === 6 ? "ipv6" : "ipv4");
}

/** What the address of a service may be. */
export const SERVICE_ADDRESS =
  "Allowed is http:// or https:// with host, port and path; a key is apiKey.";

/** Returns what is wrong with the address of a service, without its secrets; undefined for a usable one. */
export function serviceAddressFault({
  protocol,
  username,
  password,
  search,
  hash,
}: URL): string | undefined {
  if (protocol !== "http:" && protocol !== "https:") return `its scheme is ${protocol}`;
  if (username !== "" || password !== "") return "it holds a user name or password";
  return search !== "" || hash !== "" ? "it holds a query or a fragment" : undefined;
}

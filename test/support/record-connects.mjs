// Preloaded into a process of its own: notes every name looked up and every address connected to.
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import net from "node:net";

const log = process.env.HDP_CONNECT_LOG;
const note = (what) => appendFileSync(log, `${what}\n`);

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  const place =
    typeof options === "object"
      ? (options.path ?? `${options.host ?? "localhost"}:${options.port}`)
      : String(options);
  note(`connect ${place}`);
  return connect.apply(this, args);
};
for (const holder of [dns, dns.promises]) {
  for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) {
    const original = holder[name];
    holder[name] = function (host, ...rest) {
      note(`${name} ${host}`);
      return original.call(this, host, ...rest);
    };
  }
}

// Tests of `npm test` that try a sample there, over more of what they try.
const LONGER = {
  HDP_ETH_CALL_EVERY: "24",
  HDP_FUZZ: "200",
  HDP_GAS_STEP: "1321",
  HDP_PROOF_ROUNDS: "20000",
  HDP_SIMULATE: "3",
  HDP_STATUSES: "all",
};

// They read the numbers when they are loaded. A number that was given stays.
const given = Object.fromEntries(Object.keys(LONGER).map((name) => [name, process.env[name]]));
for (const [name, number] of Object.entries(LONGER)) process.env[name] ??= number;
await import("../chain/trie.test.js");
await import("../conformance/eth-call/eth-call.test.js");
await import("../service/refusals.test.js");
await import("../simulation/simulation.test.js");
await import("../store/results-library.test.js");
await import("./fuzz.test.js");
for (const [name, value] of Object.entries(given)) {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
}

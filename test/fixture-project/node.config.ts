import config from "./hardhat.config.js";

/** The same project, with a network behind a node whose address the test that starts it gives. */
export default {
  ...config,
  networks: {
    served: { type: "http" as const, url: process.env["HDP_TEST_NODE"] ?? "http://127.0.0.1:1" },
  },
};

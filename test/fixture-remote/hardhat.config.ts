import { configVariable, defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

const apiKey = configVariable("FIXTURE_KEY");
const address = process.env["FIXTURE_STORE"];

export default defineConfig({
  plugins: [hardhatHdp],
  networks: {
    remote: {
      type: "http",
      url: configVariable("FIXTURE_CHAIN"),
      hdp: { dataProcessor: { url: configVariable("FIXTURE_SERVICE"), apiKey } },
    },
    modules: {
      type: "http",
      url: configVariable("FIXTURE_CHAIN"),
      hdp: {
        dataProcessor: {
          url: `${process.env["FIXTURE_INTERFACES"] ?? "http://127.0.0.1:1"}/dp`,
          apiKey,
          edition: "module-tasks",
        },
      },
    },
  },
  hdp: {
    executionStore: address === undefined ? {} : { address },
    programRegistry: { submitUrl: configVariable("FIXTURE_INTERFACES"), apiKey },
    storageProof: {
      url: `${process.env["FIXTURE_INTERFACES"] ?? "http://127.0.0.1:1"}/sp`,
      apiKey,
    },
    dataDir: process.env["FIXTURE_DATA"] ?? "hdp",
  },
});

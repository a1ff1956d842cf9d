/** Source that is changed together, and the tests that are run over it: those that need no process and no file system. */
export interface Room {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

export const ROOMS: Readonly<Record<string, Room>> = {
  request: {
    sources: ["src/request/**/*.ts"],
    tests: ["test/request/**/*.test.ts", "test/conformance/{encodings,merkle,task-hashes}.test.ts"],
  },
  program: { sources: ["src/program/**/*.ts"], tests: ["test/program/**/*.test.ts"] },
  chain: {
    sources: ["src/chain/**/*.ts"],
    tests: ["test/chain/**/*.test.ts", "test/compute/evaluate.test.ts", "test/conformance/envelopes.test.ts"],
  },
  compute: {
    sources: [
      "src/compute/{aggregate,evaluate,explain-task,field-values,record-tasks,sample-datalake,verify-task}.ts",
      "src/compute/compute-request.ts",
    ],
    tests: [
      "test/compute/{aggregate,evaluate,field-values,verify-task}.test.ts",
      "test/conformance/{aggregates,evaluate}.test.ts",
      "test/processor/local-data-processor.test.ts",
    ],
  },
  journal: { sources: ["src/journal/**/*.ts"], tests: ["test/journal/*.test.ts"] },
  service: { sources: ["src/service/**/*.ts"], tests: ["test/service/**/*.test.ts"] },
};

/**
 * Source that is changed together, and the tests that are run over it, in this order: the first that fails ends a run,
 * so that those that are fast by themselves come before those over a simulated chain.
 */
export interface Area {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

export const AREAS: Readonly<Record<string, Area>> = {
  request: {
    sources: ["src/request/**/*.ts"],
    tests: [
      "test/request/{readers,parse,parse-errors,builder,encode,checksums,describe-task,block-reference}.test.ts",
      "test/request/{injected-state,state-trie,task-file-schema}.test.ts",
      "test/conformance/{encodings,task-hashes,merkle}.test.ts",
      "test/request/{properties,merkle,storage-slots}.test.ts",
    ],
  },
  program: {
    sources: ["src/program/**/*.ts"],
    tests: [
      "test/program/{abi,module-task,module-reference,compiled-class,encode-arguments}.test.ts",
      "test/program/{starknet-calldata,program-hash,decode-arguments,function-names}.test.ts",
    ],
  },
  chain: {
    sources: ["src/chain/**/*.ts"],
    tests: [
      "test/chain/{header-links,rpc-json,envelopes,block-header,anchor,starknet-chain-reader}.test.ts",
      "test/chain/*.test.ts",
      "test/conformance/envelopes.test.ts",
      "test/chain/**/*.test.ts",
      "test/compute/evaluate.test.ts",
    ],
  },
  compute: {
    sources: [
      "src/compute/{compute-request,evaluate,aggregate,field-values,samples,record-tasks,verify-task}.ts",
    ],
    tests: [
      "test/compute/{aggregate,field-values,sample-datalake,compute-request}.test.ts",
      "test/conformance/{aggregates,evaluate}.test.ts",
      "test/compute/{evaluate,verify-task}.test.ts",
      "test/chain/recording/recording.test.ts",
    ],
  },
  submission: {
    sources: [
      "src/submission/*.ts",
      "src/submission/backend/*.ts",
      "src/submission/backend/faults/*.ts",
    ],
    // Not the tests over processes that are killed: they are slow, and the others say more exactly what is wrong.
    tests: [
      "test/submission/{plan,recovery,model,settle,calls,store,submissions,local-submissions,in-flight,local-data-processor}.test.ts",
      "test/submission/faults/faults.test.ts",
      "test/simulation/simulation.test.ts",
    ],
  },
  service: {
    sources: ["src/service/**/*.ts"],
    tests: [
      "test/service/{editions,transport,remote-data-processor,storage-proof,program-registry}.test.ts",
      "test/service/{state-server,await-submission,http}.test.ts",
      // Not every status with every mishap, nor replies of many megabytes: they are slow.
      "test/service/secrets.test.ts",
    ],
  },
  /** Who may use the development server, and what it answers to others. */
  admission: {
    sources: ["src/dev-server/{access,route,refusals,webhooks}.ts", "src/service/endpoints.ts"],
    tests: [
      "test/dev-server/{admission,routes,refusals,webhook-sender}.test.ts",
      "test/dev-server/{access,http,webhook}.test.ts",
    ],
  },
  /** Which chain's store gets the results of a request, and what is refused before anything is sent. */
  destinations: {
    sources: ["src/plugin/destination.ts"],
    tests: ["test/plugin/{destination,starknet-destination}.test.ts"],
  },
  secrets: {
    sources: ["src/errors/{secrets,printable}.ts"],
    tests: ["test/errors/{redactor,secrets,printable,hdp-error,suggested}.test.ts"],
  },
};

/** Generated file, the contract it holds, and the contract's source. Interfaces have an ABI and no bytecode. */
export const SHIPPED = [
  [
    "hdp-execution-store-mock",
    "HdpExecutionStoreMock",
    "contracts/mocks/HdpExecutionStoreMock.sol",
  ],
  ["hdp-facts-registry-mock", "HdpFactsRegistryMock", "contracts/mocks/HdpFactsRegistryMock.sol"],
  [
    "hdp-aggregators-factory-mock",
    "HdpAggregatorsFactoryMock",
    "contracts/mocks/HdpAggregatorsFactoryMock.sol",
  ],
  ["hdp-execution-store", "IHdpExecutionStore", "contracts/interfaces/IHdpExecutionStore.sol"],
  ["hdp-satellite", "IHdpSatellite", "contracts/interfaces/IHdpSatellite.sol"],
  [
    "hdp-satellite-develop",
    "IHdpSatelliteDevelop",
    "contracts/interfaces/IHdpSatelliteDevelop.sol",
  ],
] as const;

/** Returns the beginning of the names that a generated file exports: `hdpSatellite` for `hdp-satellite`. */
export function exportedName(file: string): string {
  return file.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

import type { Address } from "viem";

import { hdpError, type HdpError } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "./chains.js";
import type { HeaderField } from "./fields.js";
import { fieldEntry } from "./field-support.js";
import { formatSampledProperty } from "./sampled-property.js";
import type { DatalakeComputeTask } from "./task.js";

interface RefusalGrounds {
  /** The refused place in the task: `datalake.sampledProperty`. */
  readonly path: string;
  /** What can be done instead, a sentence. */
  readonly advice: string;
  /** Where this can be read. */
  readonly source: string;
  /** Whether the standard program computes it all the same, here and without a proof. */
  readonly isComputable: boolean;
}

/** Why a datalake task is not sent in the module form. */
export interface ModuleFormRefusal extends RefusalGrounds {
  /** A clause: `the published prover does not return header.blob_gas_used`. */
  readonly problem: string;
}

interface Row extends RefusalGrounds {
  /** Returns the problem of a task that the row refuses. */
  readonly problem: (task: DatalakeComputeTask) => string | undefined;
}

/** Chains whose headers the published prover knows, since 2025-10; before, without Optimism. */
const PROVEN_CHAINS: readonly ChainIdentifier[] = [
  ...(["ETHEREUM_MAINNET", "ETHEREUM_SEPOLIA"] as const),
  ...(["OPTIMISM_MAINNET", "OPTIMISM_SEPOLIA"] as const),
];
const UNREAD_HEADER_FIELDS: readonly HeaderField[] = [
  ...(["withdrawals_root", "blob_gas_used"] as const),
  ...(["excess_blob_gas", "parent_beacon_block_root"] as const),
];
const PROPERTY = "datalake.sampledProperty";

/** What the published prover cannot prove. Fields and slots of accounts that do not exist: {@link ABSENT_ACCOUNT}. */
const ROWS: readonly Row[] = [
  {
    path: PROPERTY,
    problem: ({ datalake: { sampledProperty: property } }) => {
      if (property.kind === "storage") return undefined;
      const without = fieldEntry(property.kind, property.field)?.without;
      return without && `${formatSampledProperty(property)} has no integer value: ${without}`;
    },
    advice: "Sample an integer field: npx hardhat hdp fields lists them.",
    source: "contracts/starknet/programs/src: no aggregate function takes another value",
    isComputable: false,
  },
  {
    path: "datalake.chainId",
    problem: ({ datalake: { chainId } }) =>
      PROVEN_CHAINS.includes(chainId)
        ? undefined
        : `the published prover has no data of ${chainId}`,
    advice: `Sample one of ${PROVEN_CHAINS.join(", ")}.`,
    source: "hdp-cairo 1e00936f, src/utils/chain_info.cairo: other chain ids fail",
    isComputable: true,
  },
  {
    path: PROPERTY,
    problem: ({ datalake: { sampledProperty: property } }) =>
      property.kind === "header" && UNREAD_HEADER_FIELDS.includes(property.field)
        ? `the published prover does not return ${formatSampledProperty(property)}`
        : undefined,
    advice: "Sample another field of the header.",
    source:
      'hdp-cairo 1e00936f, crates/types/src/cairo/evm/header.rs: "Unsupported FunctionId" for 12 and 16 to 19',
    isComputable: true,
  },
  {
    path: PROPERTY,
    problem: ({ datalake }) => {
      if (datalake.type === "BlockSampled" || !datalake.includedTypes.legacy) return undefined;
      const { kind, field } = datalake.sampledProperty;
      return kind === "tx" && (field === "v" || field === "chain_id")
        ? `the published prover does not agree with itself on tx.${field} of legacy transactions`
        : undefined;
    },
    advice: "Exclude them: includedTypes with legacy false.",
    source:
      "hdp-cairo 1e00936f, crates/types/src/cairo/evm/transaction.rs (v is the parity, chain id that of EIP-155) and src/decoders/evm/transaction_decoder.cairo (v as encoded, no chain id)",
    isComputable: true,
  },
];

/**
 * Why a task over an account that does not exist at a sampled block cannot be proven. Known only by reading; a local
 * data processor that stands for no service takes 0.
 */
export const ABSENT_ACCOUNT: RefusalGrounds = {
  path: PROPERTY,
  advice: "Start the range at a block at which the account exists.",
  source:
    "hdp-cairo 1e00936f, src/utils/mpt.cairo and src/decoders/evm/account_decoder.cairo: an absent leaf is one byte, of which the decoder takes fields",
  isComputable: true,
};

/**
 * Returns why a task cannot be sent in the module form: what the published prover cannot prove. Empty for most tasks.
 * @example moduleFormRefusals(task).map(({ problem, path }) => `${path}: ${problem}`)
 */
export function moduleFormRefusals(task: DatalakeComputeTask): readonly ModuleFormRefusal[] {
  return ROWS.flatMap(({ problem: problemOf, ...row }) => {
    const problem = problemOf(task);
    return problem === undefined ? [] : [{ ...row, problem }];
  });
}

/** Returns HDP-1129 for a task that cannot be proven, at the task's place with its dot: `tasks[0].`. */
export function unprovableError(
  { path, problem, advice, source }: ModuleFormRefusal,
  place = "",
): HdpError {
  return hdpError(
    "HDP-1129",
    { problem },
    { path: `${place}${path}`, hints: [advice, `Source: ${source}.`] },
  );
}

/** Returns HDP-1129 for an account that does not exist at a block, at the task's place with its dot. */
export function absentAccountError(address: Address, block: bigint, place?: string): HdpError {
  const problem = `the account ${address} does not exist at block ${block}`;
  return unprovableError({ ...ABSENT_ACCOUNT, problem }, place);
}

// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

/// @notice Aggregate functions of a datalake task; the position is the encoded id.
/// @dev MERKLE and SLR are ids of the published contracts; the data processor's datalakes never evaluated MERKLE.
enum AggregateFn {
    AVG,
    SUM,
    MIN,
    MAX,
    COUNT,
    MERKLE,
    SLR
}

/// @notice Comparison of COUNT; the position is the encoded id. NONE for every other function.
/// @dev In task files the same are `eq`, `nq`, `gt`, `gteq`, `lt` and `lteq`: `nq` there is NEQ here.
enum Operator {
    NONE,
    EQ,
    NEQ,
    GT,
    GTEQ,
    LT,
    LTEQ
}

/// @notice Fields of a block header; the position is the encoded id (the position in the header's RLP list).
enum HeaderField {
    PARENT_HASH,
    OMMERS_HASH,
    BENEFICIARY,
    STATE_ROOT,
    TRANSACTIONS_ROOT,
    RECEIPTS_ROOT,
    LOGS_BLOOM,
    DIFFICULTY,
    NUMBER,
    GAS_LIMIT,
    GAS_USED,
    TIMESTAMP,
    EXTRA_DATA,
    MIX_HASH,
    NONCE,
    BASE_FEE_PER_GAS,
    WITHDRAWALS_ROOT,
    BLOB_GAS_USED,
    EXCESS_BLOB_GAS,
    PARENT_BEACON_BLOCK_ROOT
}

/// @notice Fields of an account; the position is the encoded id.
enum AccountField {
    NONCE,
    BALANCE,
    STORAGE_ROOT,
    CODE_HASH
}

/// @notice Fields of a transaction; the position is the encoded id.
enum TransactionField {
    NONCE,
    GAS_PRICE,
    GAS_LIMIT,
    TO,
    VALUE,
    INPUT,
    V,
    R,
    S,
    CHAIN_ID,
    ACCESS_LIST,
    MAX_FEE_PER_GAS,
    MAX_PRIORITY_FEE_PER_GAS,
    BLOB_VERSIONED_HASHES,
    MAX_FEE_PER_BLOB_GAS
}

/// @notice Fields of a receipt; the position is the encoded id.
enum ReceiptField {
    SUCCESS,
    CUMULATIVE_GAS_USED,
    LOGS,
    BLOOM
}

/// @notice A property sampled over a range of blocks.
/// @param chainId Chain the blocks belong to
/// @param blockRangeStart First block
/// @param blockRangeEnd Last block, inclusive
/// @param increment Step between sampled blocks, at least 1
/// @param sampledProperty Encoded property: see HdpSampledProperty
struct BlockSampledDatalake {
    uint256 chainId;
    uint256 blockRangeStart;
    uint256 blockRangeEnd;
    uint256 increment;
    bytes sampledProperty;
}

/// @notice A property sampled over the transactions of one block.
/// @param chainId Chain the block belongs to
/// @param targetBlock The block
/// @param startIndex First transaction index
/// @param endIndex End of the range, exclusive
/// @param increment Step between sampled transactions, at least 1
/// @param includedTypes Transaction types that take part: see HdpSampledProperty.includedTypes
/// @param sampledProperty Encoded property: see HdpSampledProperty
struct TransactionsInBlockDatalake {
    uint256 chainId;
    uint256 targetBlock;
    uint256 startIndex;
    uint256 endIndex;
    uint256 increment;
    uint256 includedTypes;
    bytes sampledProperty;
}

/// @notice What is computed over a datalake.
/// @param aggregateFnId Function
/// @param operatorId Comparison of COUNT, else NONE
/// @param valueToCompare Right side of the comparison, else 0
struct ComputationalTask {
    AggregateFn aggregateFnId;
    Operator operatorId;
    uint256 valueToCompare;
}

/// @notice Execution of a module.
/// @param programHash Hash of the module's program
/// @param inputs Public inputs, one felt per word, in order
struct ModuleTask {
    bytes32 programHash;
    bytes32[] inputs;
}

/// @notice How a datalake task is sent and stored.
/// @dev Datalake: hashed over datalake and computation; the stored word is the value. Module: a standard program with the
/// task as its public inputs; the stored word is the root over the value's two marked halves.
enum HdpForm {
    Datalake,
    Module
}

/// @notice A task and its form, which belong together: see HdpResults.requireValue.
/// @dev Fix both at deployment, or derive both with HdpTaskHash.inForm. Whoever may choose the form chooses the answer.
/// @param hash Task hash
/// @param form Form
struct HdpTask {
    bytes32 hash;
    HdpForm form;
}

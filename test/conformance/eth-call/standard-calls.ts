import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  stringToHex,
  toFunctionSelector,
} from "viem";

import { LibraryMemory } from "./library-memory.js";
import { compiledContract } from "../../support/compiled-contract.js";

/** What the calls of Standards.sol are made with. */
export interface StandardsSetting {
  readonly owner: Address;
  readonly friend: Address;
  readonly coin: Address;
  readonly deploy: (name: string, args?: readonly unknown[]) => Promise<Address>;
  readonly view: (to: Address, abi: Abi, functionName: string) => Promise<unknown>;
  readonly add: AddCall;
  /** For those that come out otherwise: with what the proven call answers, `true 0x…`, `false 0x…`, or how it ends. */
  readonly differing: (ours: string | RegExp, ...call: Parameters<AddCall>) => void;
}

type AddCall = (
  name: string,
  to: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
  from?: Address,
) => void;

const TOO_LARGE = "KKT: type conversion error";
/** What ends a call with all of its gas: the node answers no data, and the proven call the name of what happened. */
const EXCEPTIONS: readonly {
  readonly functionName: string;
  readonly args?: readonly unknown[];
  readonly ours: string;
}[] = [
  { functionName: "invalid", ours: "invalid opcode" },
  { functionName: "tooMuchMemory", args: [2n ** 28n], ours: "out of gas" },
  { functionName: "tooMuchMemory", args: [2n ** 40n], ours: TOO_LARGE },
  { functionName: "tooMuchMemory", args: [2n ** 255n], ours: TOO_LARGE },
  { functionName: "tooMuchHashed", args: [2n ** 34n], ours: TOO_LARGE },
  { functionName: "tooMuchReturned", args: [2n ** 64n], ours: TOO_LARGE },
];

const PROXY_CODE = {
  head: 0x3d602d80600a3d3981f3363d3d373d3d3d363d73n,
  tail: 0x5af43d82803e903d91602b57fd5bf3ffn,
};

/** Clones.predictDeterministicAddress of OpenZeppelin, statement by statement, over the library's memory. */
function predictedOtherwise(deployer: Address, template: Address, salt: bigint): Hex {
  const memory = new LibraryMemory();
  memory.store(0x38, BigInt(deployer));
  memory.store(0x24, PROXY_CODE.tail);
  memory.store(0x14, BigInt(template));
  memory.store(0x00, PROXY_CODE.head);
  memory.store(0x58, salt);
  memory.store(0x78, BigInt(keccak256(memory.slice(0x0c, 0x37))));
  return pad(`0x${keccak256(memory.slice(0x43, 0x55)).slice(-40)}`, { size: 32 });
}

function storedOtherwise(offset: number): Hex {
  const memory = new LibraryMemory(Uint8Array.from({ length: 128 }, (_, at) => at + 1));
  memory.store(offset, 2n ** 256n - 1n);
  return memory.slice(0, 128);
}

/** Behind four bytes memory is no longer aligned: the length of what follows is stored over its content. */
function lostAfterFirst(part: Hex): Hex {
  return encodeAbiParameters([{ type: "bytes[]" }], [[part, "0x00000000"]]);
}

/** Calls of further standards, of every kind of proxy, of libraries, and of what goes wrong in an EVM. */
export async function addStandardCalls(setting: StandardsSetting): Promise<void> {
  await addTokens(setting);
  await addProxies(setting);
  await addRoles(setting);
  await addTools(setting);
}

async function addTokens({ owner, friend, coin, deploy, add }: StandardsSetting): Promise<void> {
  const items = await deploy("Items", [owner]);
  const itemsAbi = compiledContract("Items").abi;
  add("Items", items, itemsAbi, "balanceOf", [owner, 2n]);
  add("Items", items, itemsAbi, "balanceOfBatch", [
    [owner, friend, owner],
    [1n, 1n, 2n],
  ]);
  add("Items", items, itemsAbi, "balanceOfBatch", [[owner], [1n, 2n]]);
  add("Items", items, itemsAbi, "uri", [1n]);
  add("Items", items, itemsAbi, "safeTransferFrom", [owner, items, 1n, 1n, "0x"]);
  const share = await deploy("Share", [owner]);
  const shareAbi = compiledContract("Share").abi;
  add("Share", share, shareAbi, "getVotes", [owner]);
  add("Share", share, shareAbi, "nonces", [owner]);
  add("Share", share, shareAbi, "DOMAIN_SEPARATOR", []);
  add("Share", share, shareAbi, "getPastVotes", [owner, 2n ** 40n]);
  const vault = await deploy("Vault", [coin]);
  const vaultAbi = compiledContract("Vault").abi;
  for (const name of ["convertToShares", "previewMint", "previewRedeem"])
    add("Vault", vault, vaultAbi, name, [1_000_003n]);
  add("Vault", vault, vaultAbi, "maxWithdraw", [owner]);
  add("Vault", vault, vaultAbi, "redeem", [1n, owner, friend]);
  const royalty = await deploy("Royalty", [friend]);
  add("Royalty", royalty, compiledContract("Royalty").abi, "royaltyInfo", [9n, 10_001n]);
}

async function addProxies({ deploy, view, add, differing }: StandardsSetting): Promise<void> {
  const template = await deploy("Box");
  const boxes = await deploy("Boxes", [template]);
  const { abi } = compiledContract("Boxes");
  const boxAbi = compiledContract("Box").abi;
  differing(
    `true ${predictedOtherwise(boxes, template, 5n)}`,
    "Boxes",
    boxes,
    abi,
    "predicted",
    [],
  );
  for (const kind of ["clone", "fixedClone", "beaconProxy", "transparent"]) {
    const to = (await view(boxes, abi, kind)) as Address;
    for (const functionName of ["double", "maker", "refuse"])
      add(`Box by ${kind}`, to, boxAbi, functionName, []);
  }
}

async function addRoles({
  owner,
  friend,
  deploy,
  add,
  differing,
}: StandardsSetting): Promise<void> {
  const roles = await deploy("Roles", [owner]);
  const { abi } = compiledContract("Roles");
  for (const from of [owner, friend])
    for (const name of ["kept", "owned"]) add(`Roles by ${from}`, roles, abi, name, [], from);
  add("Roles", roles, abi, "values", []);
  add("Roles", roles, abi, "contains", [5n]);
  const inner = ["values", "KEEPER"].map((functionName) =>
    encodeFunctionData({ abi, functionName }),
  );
  for (const data of inner) add("Roles", roles, abi, "multicall", [[data]]);
  differing(`false ${toFunctionSelector("FailedCall()")}`, "Roles", roles, abi, "multicall", [
    inner,
  ]);
}

async function addTools({ friend, coin, deploy, add, differing }: StandardsSetting): Promise<void> {
  const tools = await deploy("Tools");
  const { abi } = compiledContract("Tools");
  const call = (functionName: string, ...args: readonly unknown[]): void => {
    add("Tools", tools, abi, functionName, args);
  };
  call("decimal", 2n ** 64n + 12345n);
  call("hexadecimal", 0xabcdefn);
  call("base64", "0x70726f76656e");
  call("root", 10n ** 30n);
  call("log2", 2n ** 200n + 1n);
  call("mulDiv", 2n ** 100n, 2n ** 20n, 2n ** 60n + 1n);
  call("cast", 2n ** 64n - 1n);
  call("cast", 2n ** 64n);
  const [left, right] = [keccak256("0x01"), keccak256("0x02")].sort() as [Hex, Hex];
  const tree = keccak256(`${left}${right.slice(2)}`);
  call("merkle", [right], tree, left);
  call("merkle", [left], tree, left);
  call("points", [
    { x: 1n, y: -5n, name: "first" },
    { x: 2n ** 200n, y: 7n, name: "a name of more than thirty-two characters" },
  ]);
  call("points", []);
  call("packed", 7, "0x010203", "tail");
  call("selectors");
  call("creation", coin);
  for (const index of [0n, 31n, 32n])
    call("byteAt", index, BigInt(`0x${"0102030405060708".repeat(4)}`));
  for (const by of [0n, 1n, 7n, 31n, 255n]) call("shifts", by, 2n ** 255n + 0x8081n);
  call("copied", coin, 3n, 40n);
  call("copied", coin, 2n ** 30n, 40n);
  call("moved", 7n);
  call("remembered", 41n);
  call("logged", 3n);
  call("returned", tools, encodeFunctionData({ abi, functionName: "context" }));
  call("returned", coin, "0xffffffff");
  for (const inner of EXCEPTIONS) call("swallowed", encodeFunctionData({ abi, ...inner }));
  call("limited", 600n);
  const otherwise = (ours: string, functionName: string, ...args: readonly unknown[]): void => {
    differing(ours, "Tools", tools, abi, functionName, args);
  };
  otherwise(`false ${stringToHex("return data out of bounds")}`, "outOfReturned", coin);
  for (const { functionName, args = [], ours } of EXCEPTIONS)
    otherwise(`false ${stringToHex(ours)}`, functionName, ...args);
  otherwise("u256_mul Overflow", "mulDiv", 2n ** 200n, 2n ** 100n, 2n ** 60n + 1n);
  otherwise("u256_mul Overflow", "mulDiv", 2n ** 255n, 4n, 1n);
  otherwise("mul Overflow", "shifts", 256n, 2n ** 255n);
  for (const offset of [0n, 16n, 32n, 48n]) call("stored", offset);
  for (const offset of [24, 33, 39])
    otherwise(`true ${storedOtherwise(offset)}`, "stored", BigInt(offset));
  otherwise("Option::unwrap failed.", "stored", 31n);
  call("joined", ["0x01020304"]);
  otherwise(`true ${lostAfterFirst("0x01020304")}`, "joined", ["0x01020304", "0x01020304"]);
  call("forbidden");
  call("delegated", tools, encodeFunctionData({ abi, functionName: "context" }));
  call("delegated", friend, "0x12");
  call("context");
  add(
    "fallback",
    tools,
    [{ type: "function", name: "none", inputs: [], outputs: [], stateMutability: "view" }],
    "none",
    [],
  );
  for (const number of [1n, 4n, 9n])
    call("returned", numberToHex(number, { size: 20 }), pad("0x01", { size: 3 }));
}

import { z } from "zod";

import { CHAIN_IDS, type ChainIdentifier } from "../request/chains.js";
import { FORMAT_VERSION, type JournalEntry } from "./journal-entry.js";
import { type JournaledRequest, journaledRequest } from "./journaled-request.js";

type Line = Readonly<Record<string, unknown>>;

const HEX = /^0x[0-9a-fA-F]*$/;
/** The whole part of ISO 8601 that `Date.toISOString` writes. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isText = (value: unknown): value is string => typeof value === "string";
const isName = (value: unknown): value is string => isText(value) && value !== "";
const isHex = (value: unknown): boolean => isText(value) && HEX.test(value);
const isHashes = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isHex);
const isMissingOr = (is: (value: unknown) => boolean, value: unknown): boolean => value === undefined || is(value);

function isTarget(line: Line): boolean {
  const { destinationChainId, processor, network, endpointHost, endpointId, genesis, taskHashes } = line;
  return (
    isText(destinationChainId) &&
    Object.hasOwn(CHAIN_IDS, destinationChainId) &&
    isText(processor) &&
    isText(network) &&
    isMissingOr(isText, endpointHost) &&
    isMissingOr(isText, endpointId) &&
    isMissingOr(isHex, genesis) &&
    isHashes(taskHashes)
  );
}

/** The entries that make up nearly all of a journal. */
const SHAPES: Readonly<Record<string, (line: Line) => boolean>> = {
  intent: (line) =>
    isTarget(line) &&
    typeof line["request"] === "object" &&
    isMissingOr((forced) => typeof forced === "boolean", line["forced"]),
  accepted: (line) =>
    isTarget(line) &&
    isName(line["serviceId"]) &&
    isText(line["serviceProcessor"]) &&
    isMissingOr((hashes) => Array.isArray(hashes) && hashes.every(isHex), line["serviceTaskHashes"]),
  status: ({ name, phase, detail }) =>
    isText(name) && (phase === "pending" || phase === "finalized") && isMissingOr(isText, detail),
  result: ({ taskHash, word, store, transactionHash, blockNumber }) =>
    isHex(taskHash) &&
    isHex(word) &&
    isHex(store) &&
    isMissingOr(isHex, transactionHash) &&
    isMissingOr((decimal) => isText(decimal) && /^\d{1,78}$/.test(decimal), blockNumber),
};

const intentLine = z.object({ request: journaledRequest });

/** A request that is read when somebody asks for it: most never are, and they are most of a journal. */
class LateRequest implements JournaledRequest {
  readonly #line: string;
  readonly #fallback: JournaledRequest;

  /** @param destinationChainId the line's own, for a request that cannot be read */
  public constructor(destinationChainId: ChainIdentifier, line: string) {
    this.#line = line;
    this.#fallback = { destinationChainId, tasks: [] };
  }

  public get destinationChainId(): ChainIdentifier {
    return this.toJSON().destinationChainId;
  }

  public get tasks(): JournaledRequest["tasks"] {
    return this.toJSON().tasks;
  }

  public toJSON(): JournaledRequest {
    return intentLine.safeParse(JSON.parse(this.#line)).data?.request ?? this.#fallback;
  }
}
// As if they stood there: for those who compare or copy requests.
for (const member of ["destinationChainId", "tasks"]) {
  Object.defineProperty(LateRequest.prototype, member, { enumerable: true });
}

const isShaped = (line: Line): line is Line & JournalEntry => {
  const { v, event, id, at } = line;
  if (v !== FORMAT_VERSION || !isName(id) || !isText(at) || !TIME.test(at) || !isText(event)) return false;
  return Object.hasOwn(SHAPES, event) && SHAPES[event]?.(line) === true;
};

/**
 * The entry of a line whose checksum says that this package wrote it: its schema was applied then, so only what others
 * rely on is looked at. Undefined where the schema has to decide.
 *
 * @param line without its checksum
 * @param text of the line
 */
export function sealedEntry(line: Line, text: string): JournalEntry | undefined {
  const blockNumber = line["blockNumber"];
  if (!isShaped(line)) return undefined;
  if (line.event === "intent") return { ...line, request: new LateRequest(line.destinationChainId, text) };
  if (line.event !== "result" || !isText(blockNumber)) return line;
  return { ...line, blockNumber: BigInt(blockNumber) };
}

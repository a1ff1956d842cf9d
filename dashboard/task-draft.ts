/** What the form of a task holds, as it was typed: it may be unfinished or wrong. */
export interface Draft {
  readonly chain: string;
  /** `header`, `account`, `storage`, `tx` or `tx_receipt`. */
  readonly kind: string;
  readonly field: string;
  readonly address: string;
  readonly slot: string;
  /** Block of transactions; unused for blocks. */
  readonly block: string;
  readonly from: string;
  readonly to: string;
  readonly step: string;
  readonly fn: string;
  readonly operator: string;
  readonly value: string;
  /** `module` or `datalake`. */
  readonly form: string;
}

/** Names of what a form offers. */
export interface Choices {
  readonly chains: readonly string[];
  /** By kind: the fields, each with the functions that it supports. */
  readonly fields: Readonly<Record<string, readonly Choice[]>>;
  readonly operators: readonly string[];
}

interface Choice {
  readonly field: string;
  readonly functions: readonly string[];
}

/** The draft of an address without a state. */
export const FIRST_DRAFT: Draft = {
  chain: "ETHEREUM_SEPOLIA",
  kind: "header",
  field: "base_fee_per_gas",
  address: "0x7f2C6f930306D3AA736B3A6C6A98f512F74036D4",
  slot: "0x0",
  block: "0",
  from: "0",
  to: "9",
  step: "1",
  fn: "avg",
  operator: "gteq",
  value: "0",
  form: "module",
};

const MEMBERS = Object.keys(FIRST_DRAFT) as readonly (keyof Draft)[];

/** Returns the draft of a page's address; what it does not name is as in the first draft. */
export function parseDraft(query: string): Draft {
  const params = new URLSearchParams(query);
  const given = MEMBERS.flatMap((name) => {
    const text = params.get(name);
    return text === null ? [] : [[name, text] as const];
  });
  return { ...FIRST_DRAFT, ...Object.fromEntries(given) };
}

/** Returns the query of a page's address: the members that differ from the first draft. */
export function draftQuery(draft: Draft): string {
  const params = new URLSearchParams();
  for (const name of MEMBERS) if (draft[name] !== FIRST_DRAFT[name]) params.set(name, draft[name]);
  return params.toString();
}

/** Returns whether transactions of a block are sampled, and not blocks. */
export function isOfTransactions({ kind }: Draft): boolean {
  return kind.startsWith("tx");
}

/** Returns the draft with a change, and with the first field and function that its kind and field have. */
export function changed(draft: Draft, change: Partial<Draft>, { fields }: Choices): Draft {
  const next = { ...draft, ...change };
  const choices = fields[next.kind] ?? [];
  const choice = choices.find(({ field }) => field === next.field) ?? choices[0];
  if (choice === undefined) return next;
  const fn = choice.functions.includes(next.fn) ? next.fn : (choice.functions[0] ?? next.fn);
  return { ...next, field: choice.field, fn };
}

/** Returns the task of a draft as it stands in a task file. */
export function draftTask(draft: Draft): object {
  const compute =
    draft.fn === "count"
      ? {
          aggregateFnId: draft.fn,
          aggregateFnCtx: { operator: draft.operator, valueToCompare: draft.value },
        }
      : { aggregateFnId: draft.fn };
  return { type: "DatalakeCompute", datalake: draftDatalake(draft), compute };
}

function draftDatalake(draft: Draft): object {
  const { chain: chainId, from, to, step: increment } = draft;
  const sampledProperty = draftProperty(draft);
  if (isOfTransactions(draft)) {
    return {
      type: "TransactionsInBlock",
      chainId,
      targetBlock: draft.block,
      startIndex: from,
      endIndex: to,
      increment,
      includedTypes: { legacy: true, eip2930: true, eip1559: true, eip4844: true },
      sampledProperty,
    };
  }
  return {
    type: "BlockSampled",
    chainId,
    blockRangeStart: from,
    blockRangeEnd: to,
    increment,
    sampledProperty,
  };
}

function draftProperty({ kind, field, address, slot }: Draft): string {
  if (kind === "storage") return `storage.${address}.${slot}`;
  return kind === "account" ? `account.${address}.${field}` : `${kind}.${field}`;
}

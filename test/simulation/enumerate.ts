import { type Command, type Fault, FATE_NAMES, type Plan, type Request } from "./plan.js";
import { simulate } from "./simulate.js";

const submit: Request = { do: "submit", tasks: [1] };

const answer: Request = { do: "answer", task: 1 };
const prove: Request = { do: "prove", body: 1 };
const order: Request = { do: "order", body: 1 };
const upload: Request = { do: "upload", program: 1 };

/** Commands that are cut off, those that follow, and what befalls them besides. */
type Base = Pick<Plan, "commands" | "faults" | "chain">;

const BASES = {
  submit: inShell(submit, submit),
  "submit two tasks": inShell({ do: "submit", tasks: [1, 2] }, { do: "submit", tasks: [2, 1] }),
  resume: afterLoss({ do: "resume" }),
  "two submitters": {
    ...inShell(),
    commands: [
      { id: 1, shell: 1, request: submit },
      { id: 2, shell: 2, request: submit },
    ],
  },
  "contract's request": inShell(answer, answer),
  "watch of contracts' requests": inShell({ do: "watch" }, answer),
  "retry of what failed": {
    ...inShell(submit, { do: "retry" }, { do: "retry" }, submit),
    faults: [{ kind: "failure", work: 1 }],
  },
  "settle by hand": afterLoss({ do: "settle" }),
  "storage proof request": inShell(prove, prove),
  "grow order": inShell(order, order),
  upload: inShell(upload, upload),
  "storage proof request that is still known": { ...inShell(prove, prove), chain: "development" },
  "grow order that is still known": { ...inShell(order, order), chain: "development" },
  "storage proof request that was forgotten": forgotten(prove),
  "grow order that was forgotten": forgotten(order),
  "upload that was forgotten": forgotten(upload),
} satisfies Readonly<Record<string, Base>>;

function inShell(...requests: readonly Request[]): Base {
  const commands = requests.map((request, index) => ({ id: index + 1, shell: 1, request }));
  return { commands, faults: [], chain: "live" };
}

/** A request that is made twice after something became undecided: its answer was lost. */
function afterLoss(request: Request): Base {
  const { commands, chain } = inShell(request, request);
  const before: Command = { id: 0, shell: 1, request: submit };
  const lost: Fault = { kind: "network", call: 1, fate: "it arrives, and the connection breaks" };
  return { commands: [before, ...commands], faults: [lost], chain };
}

/** A request that is made twice more after the service of a development chain has forgotten it. */
function forgotten(request: Request): Base {
  const [again, last] = [1, 2].map((id) => ({
    id,
    shell: 1,
    after: id === 1 ? 60_000 : 0,
    request,
  }));
  const commands = [{ id: 0, shell: 1, request }, again, last].filter((one) => one !== undefined);
  return { commands, faults: [{ kind: "forget", at: 50_000 }], chain: "development" };
}

function basePlan(base: Base, faults: readonly Fault[]): Plan {
  return { ...base, seed: 1, hasOwnHashes: false, faults: [...base.faults, ...faults] };
}

/** Steps of a command, where nothing befalls it. */
async function stepsOf(plan: Plan, command: number): Promise<number> {
  return (await simulate(plan)).steps.get(command) ?? 0;
}

/** Each command of a base killed at each of its steps; with `pairs` the one after it too. */
export async function* crashes({ pairs }: { readonly pairs: boolean }): AsyncGenerator<Plan> {
  for (const base of Object.values(BASES)) {
    yield basePlan(base, []);
    const steps = await stepsOf(basePlan(base, []), 1);
    for (let step = 1; step <= steps; step += 1) {
      const crash: Fault = { kind: "kill", command: 1, step };
      yield basePlan(base, [crash]);
      if (!pairs) continue;
      const later = await stepsOf(basePlan(base, [crash]), 2);
      for (let second = 1; second <= later; second += 1) {
        yield basePlan(base, [crash, { kind: "kill", command: 2, step: second }]);
      }
    }
  }
}

/** Everything that may befall the first three calls of what is sent, and of its like after it. */
export function* fates(): Generator<Plan> {
  for (const name of [
    ...([
      "submit",
      "storage proof request",
      "grow order",
      "upload",
      "grow order that is still known",
    ] as const),
    ...(["grow order that was forgotten", "upload that was forgotten"] as const),
  ]) {
    for (const fate of FATE_NAMES) {
      for (const call of [1, 2, 3]) yield basePlan(BASES[name], [{ kind: "network", call, fate }]);
    }
  }
}

/** Another process that does the same, up to where it waits, as each transaction of the first one begins. */
export function* interruptions(): Generator<Plan> {
  for (const name of ["storage proof request", "grow order", "upload"] as const) {
    for (const base of [BASES[name], BASES[`${name} that was forgotten`]]) {
      const request = base.commands[0]?.request ?? submit;
      for (let transaction = 1; transaction <= TRANSACTIONS; transaction += 1) {
        yield basePlan(base, [{ kind: "between", command: 1, transaction, request }]);
      }
    }
  }
}

/** The database deleted at each moment of sending, and replaced by its copies of half that time. */
export function* replacements(): Generator<Plan> {
  for (const name of ["submit", "storage proof request", "grow order", "upload"] as const) {
    for (let at = 10; at <= SENDS_FOR; at += 10) {
      yield basePlan(BASES[name], [{ kind: "replace", at }]);
      yield basePlan(BASES[name], [{ kind: "replace", at, from: at / 2 }]);
    }
  }
}

/** Milliseconds from the first step to the answer of a call. */
const SENDS_FOR = 600;

/** Transactions of sending: the claim, the mark, and the answer. */
const TRANSACTIONS = 3;

/** Milliseconds that a process stands still: the other one has done what it can by then. */
const STANDS = 10_000;
/** Steps until a submission is recorded: what follows is waiting. */
const SENT = 16;

/** Two submitters in every order of up to some switches from one to the other. */
export function* switches(most: number): Generator<Plan> {
  const base = BASES["two submitters"];
  for (let first = 1; first <= SENT; first += 1) {
    const one: Fault = { kind: "stop", command: 1, step: first, ms: STANDS };
    yield basePlan(base, [one]);
    for (let second = 1; most > 1 && second <= SENT; second += 1) {
      const two: Fault = { kind: "stop", command: 2, step: second, ms: 2 * STANDS };
      yield basePlan(base, [one, two]);
      for (let third = first + 1; most > 2 && third <= SENT; third += 1) {
        yield basePlan(base, [one, two, { kind: "stop", command: 1, step: third, ms: 3 * STANDS }]);
      }
    }
  }
}

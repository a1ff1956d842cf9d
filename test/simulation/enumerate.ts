import { type Command, type Fault, FATE_NAMES, type Plan, type Request } from "./plan.js";
import { simulate } from "./simulate.js";

const submit: Request = { do: "submit", tasks: [1] };

/** What is enumerated: the commands that are cut off, and those that follow. */
const BASES = {
  submit: shell(submit, submit),
  "submit two tasks": shell({ do: "submit", tasks: [1, 2] }, { do: "submit", tasks: [2, 1] }),
  resume: shell({ do: "resume" }, { do: "resume" }),
  "two submitters": [
    { id: 1, shell: 1, request: submit },
    { id: 2, shell: 2, request: submit },
  ],
  "settle by hand": shell({ do: "settle" }, { do: "settle" }),
  "storage proof request": shell({ do: "prove", body: 1 }, { do: "prove", body: 1 }),
  upload: shell({ do: "upload", program: 1 }, { do: "upload", program: 1 }),
} satisfies Readonly<Record<string, readonly Command[]>>;

/** Resuming and settling need something that is undecided: its answer was lost. */
const LOST: Fault = { kind: "network", call: 1, fate: "it arrives, and the connection breaks" };

function shell(...requests: readonly Request[]): readonly Command[] {
  const isLate = requests.some((request) => request.do === "resume" || request.do === "settle");
  const before: readonly Command[] = isLate ? [{ id: 0, shell: 1, request: submit }] : [];
  return [...before, ...requests.map((request, index) => ({ id: index + 1, shell: 1, request }))];
}

function basePlan(commands: readonly Command[], faults: readonly Fault[]): Plan {
  const isLate = commands.some(({ id }) => id === 0);
  return { seed: 1, chain: "live", hasOwnHashes: false, commands, faults: [...(isLate ? [LOST] : []), ...faults] };
}

/** Steps of a command, where nothing befalls it. */
async function stepsOf(plan: Plan, command: number): Promise<number> {
  return (await simulate(plan)).steps.get(command) ?? 0;
}

/** Each command of a base killed at each of its steps; with `pairs` the one after it too. */
export async function* crashes({ pairs }: { readonly pairs: boolean }): AsyncGenerator<Plan> {
  for (const commands of Object.values(BASES)) {
    const steps = await stepsOf(basePlan(commands, []), 1);
    for (let step = 1; step <= steps; step += 1) {
      const crash: Fault = { kind: "kill", command: 1, step };
      yield basePlan(commands, [crash]);
      if (!pairs) continue;
      const later = await stepsOf(basePlan(commands, [crash]), 2);
      for (let second = 1; second <= later; second += 1) {
        yield basePlan(commands, [crash, { kind: "kill", command: 2, step: second }]);
      }
    }
  }
}

/** Everything that may befall the first three calls of what is sent, and of its like after it. */
export function* fates(): Generator<Plan> {
  for (const name of ["submit", "storage proof request", "upload"] as const) {
    for (const fate of FATE_NAMES) {
      for (const call of [1, 2, 3]) yield basePlan(BASES[name], [{ kind: "network", call, fate }]);
    }
  }
}

/** Another process that does the same, up to where it waits, as each transaction of the first one begins. */
export function* interruptions(): Generator<Plan> {
  for (const name of ["storage proof request", "upload"] as const) {
    const [, { request } = { request: submit }] = BASES[name];
    for (let transaction = 1; transaction <= TRANSACTIONS; transaction += 1) {
      yield basePlan(BASES[name], [{ kind: "between", command: 1, transaction, request }]);
    }
  }
}

/** Transactions of sending: the claim, the mark, and the answer. */
const TRANSACTIONS = 3;

/** Milliseconds that a process stands still: the other one has done what it can by then. */
const STANDS = 10_000;
/** Steps until a submission is recorded: what follows is waiting. */
const SENT = 16;

/** Two submitters in every order of up to some switches from one to the other. */
export function* switches(most: number): Generator<Plan> {
  const commands = BASES["two submitters"];
  for (let first = 1; first <= SENT; first += 1) {
    const one: Fault = { kind: "stop", command: 1, step: first, ms: STANDS };
    yield basePlan(commands, [one]);
    for (let second = 1; most > 1 && second <= SENT; second += 1) {
      const two: Fault = { kind: "stop", command: 2, step: second, ms: 2 * STANDS };
      yield basePlan(commands, [one, two]);
      for (let third = first + 1; most > 2 && third <= SENT; third += 1) {
        yield basePlan(commands, [one, two, { kind: "stop", command: 1, step: third, ms: 3 * STANDS }]);
      }
    }
  }
}

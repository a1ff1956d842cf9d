import { Chance, mixed } from "./chance.js";
import type { Command, Fault, Plan, Request } from "./plan.js";

/** A schedule that broke a promise once. Each seed times its messages anew. */
export interface NamedSchedule {
  /** What holds. */
  readonly title: string;
  readonly plan: (chance: Chance) => Omit<Plan, "seed">;
}

/** The plan of a named schedule and a seed. */
export function planOf({ plan }: NamedSchedule, seed: number): Plan {
  return { seed, ...plan(new Chance(mixed(seed, 3))) };
}

const live = { chain: "live", hasOwnHashes: false } as const;
const development = { chain: "development", hasOwnHashes: false } as const;
const submit: Request = { do: "submit", tasks: [1] };
const answer: Request = { do: "answer", task: 1 };
const prove: Request = { do: "prove", body: 1 };
const order: Request = { do: "order", body: 1 };
const upload: Request = { do: "upload", program: 1 };

/** Commands of one shell, or with `inShells` of one each. */
function inOneShell(...requests: readonly Request[]): Command[] {
  return requests.map((request, index) => ({ id: index + 1, shell: 1, request }));
}

function inShells(...commands: readonly (readonly [after: number, Request])[]): Command[] {
  return commands.map(([after, request], index) => ({
    id: index + 1,
    shell: index + 1,
    after,
    request,
  }));
}

function stop(command: number, step: number, ms = 20_000): Fault {
  return { kind: "stop", command, step, ms };
}

export const NAMED_SCHEDULES: readonly NamedSchedule[] = [
  {
    title: "a submission that ends between two requests does not say that nothing was sent",
    plan: () => ({
      ...live,
      takesOneTask: true,
      commands: inOneShell({ do: "submit", tasks: [2, 3] }),
      faults: [{ kind: "disk", command: 1, transaction: 4 }],
    }),
  },
  {
    title:
      "what a live process is sending is not given up before its answer, nor after it was accepted",
    plan: (chance) => ({
      ...live,
      commands: inShells(
        [0, chance.pick([submit, prove])],
        [chance.below(400), { do: "give up" }],
        [500, submit],
      ),
      faults: [],
    }),
  },
  {
    title: "what was given up while its sender died is not given up without a second look",
    plan: (chance) => ({
      ...live,
      commands: inShells(
        [0, submit],
        [chance.between(60, 300), { do: "give up" }],
        [20_000, submit],
      ),
      faults: [{ kind: "kill", command: 1, step: chance.between(9, 14) }],
    }),
  },
  {
    title: "a claim that another process took over is not sent by who made it",
    plan: (chance) => {
      const request = chance.pick([prove, upload]);
      const transaction = chance.between(1, 3);
      return {
        ...live,
        commands: inOneShell(request, request),
        faults: [{ kind: "between", command: 1, transaction, request }],
      };
    },
  },
  {
    title: "what was said to be lost while it was being sent is not given up where it arrives late",
    plan: (chance) => ({
      ...live,
      commands: inShells(
        [0, chance.pick([submit, prove])],
        [chance.between(210, 2_000), { do: "give up" }],
      ),
      faults: [{ kind: "network", call: 1, fate: "it arrives late, and nothing is heard" }],
    }),
  },
  {
    title: "what became accepted while another answer was waited for is not given up",
    plan: (chance) => ({
      ...live,
      commands: inShells(
        [0, submit],
        [0, { do: "submit", tasks: [2] }],
        [chance.between(100, 300), { do: "give up" }],
      ),
      faults: [
        { kind: "network", call: 1, fate: "it arrives late, and nothing is heard" },
        { kind: "slow", work: 1 },
      ],
    }),
  },
  {
    title: "a registry that was asked before the upload arrived does not make it a refused one",
    plan: (chance) => ({
      ...live,
      commands: inShells([0, upload], [chance.below(100), { do: "resume" }]),
      faults: [stop(2, 2, 3_000)],
    }),
  },
  {
    title:
      "a registry that was asked before the upload arrived does not make it a refused one, where its sender ends without recording it",
    plan: (chance) => ({
      ...live,
      commands: inShells([0, upload], [chance.below(200), { do: "resume" }]),
      faults: [
        chance.happens(0.5)
          ? { kind: "disk", command: 1, transaction: 3 }
          : { kind: "kill", command: 1, step: chance.between(5, 6) },
        ...(chance.happens(0.5) ? [stop(2, 1, 3_000)] : []),
      ],
    }),
  },
  {
    title: "a registry that was asked before the upload of a dying process arrived refuses nothing",
    plan: (chance) => ({
      ...live,
      commands: inShells([0, upload], [chance.below(60), { do: "resume" }]),
      faults: [{ kind: "kill", command: 1, step: 6 }],
    }),
  },
  {
    title:
      "a result that another process reads after the store was asked keeps its task from being sent again",
    plan: (chance) => ({
      ...development,
      hasOwnHashes: chance.happens(0.5),
      // The second one knows of the first, whose result is not there yet.
      commands: inShells([0, submit], [chance.between(100, 300), { do: "submit", tasks: [1, 2] }]),
      faults: [stop(2, chance.between(3, 7))],
    }),
  },
  {
    title:
      "results under hashes of the service's own are found, also where the answer with them was lost",
    plan: (chance) => ({
      chain: chance.pick(["live", "development"]),
      hasOwnHashes: true,
      commands: inOneShell(submit, { do: "settle" }, { do: "resume" }, submit),
      faults: chance.happens(0.3)
        ? []
        : [{ kind: "network", call: 1, fate: "it arrives, and the connection breaks" }],
    }),
  },
  {
    title: "results of several tasks under hashes of the service's own are found",
    plan: (chance) => ({
      chain: chance.pick(["live", "development"]),
      hasOwnHashes: true,
      commands: inOneShell({ do: "submit", tasks: [1, 2] }, { do: "await", task: 2 }, submit),
      faults: [],
    }),
  },
  {
    title:
      "hashes of the service's own are known of tasks that were sent again by force, where the second answer was lost",
    plan: (chance) => ({
      chain: chance.pick(["live", "development"]),
      hasOwnHashes: true,
      commands: inShells(
        [0, { do: "submit", tasks: [1, 2, 3] }],
        [chance.between(500, 4_000), { do: "submit", tasks: [1, 2], force: true }],
      ),
      faults: [{ kind: "kill", command: 2, step: chance.between(7, 9) }],
    }),
  },
  {
    title:
      "hashes of the service's own are kept where a person names the id that was answered meanwhile",
    plan: (chance) => ({
      ...chance.pick([live, development]),
      hasOwnHashes: true,
      commands: inOneShell({ do: "submit", tasks: [1, 2] }),
      faults: [{ kind: "between", command: 1, transaction: 3, request: { do: "settle" } }],
    }),
  },
  {
    title:
      "what is under way while the database is deleted or replaced is recorded anew, and not sent again",
    plan: (chance) => {
      const request = chance.pick([submit, prove, order, upload]);
      const at = chance.between(100, 600);
      const copied = chance.happens(0.5) ? { from: chance.below(at) } : {};
      return {
        ...chance.pick([live, development]),
        commands: inOneShell(request, request),
        faults: [{ kind: "replace", at, ...copied }],
      };
    },
  },
  {
    title:
      "what arrives late counts as sent when it was: a database that was deleted meanwhile hides it from others",
    plan: (chance) => ({
      ...live,
      commands: inShells(
        [0, submit],
        [chance.between(1_500, 20_000), { do: "submit", tasks: [2, 1] }],
      ),
      faults: [
        { kind: "network", call: 1, fate: "it arrives late, and nothing is heard" },
        { kind: "replace", at: chance.between(400, 1_400) },
      ],
    }),
  },
  {
    title:
      "no process waits for an answer that it has had, where an older copy of the file says so",
    plan: (chance) => ({
      ...chance.pick([live, development]),
      takesOneTask: true,
      commands: inOneShell({ do: "submit", tasks: [1, 2, 3] }),
      faults: [{ kind: "replace", at: chance.between(650, 900), from: chance.between(380, 560) }],
    }),
  },
  {
    title: "hashes that a service returned, and that are not the tasks', are not taken as results",
    plan: (chance) => ({
      ...chance.pick([live, development]),
      hasOwnHashes: true,
      commands: inOneShell({ do: "submit", tasks: [2] }, submit),
      faults: [
        {
          kind: "hashes",
          answer: 2,
          are: chance.pick(["the same", "finalized before", "too few"]),
        },
      ],
    }),
  },
  {
    title: "what is paid for is not sent again where another program deletes its rows",
    plan: (chance) => ({
      ...chance.pick([live, development]),
      commands: inShells([0, prove], [50_000, prove]),
      faults: [{ kind: "delete rows", at: chance.between(600, 40_000) }],
    }),
  },
  {
    title: "an id is told once it is durable",
    plan: (chance) => ({
      ...live,
      commands: inOneShell(chance.pick([submit, prove, upload]), submit),
      faults: [
        chance.happens(0.5)
          ? { kind: "disk", command: 1, transaction: chance.between(1, 5) }
          : { kind: "kill", command: 1, step: chance.between(1, 20) },
      ],
    }),
  },
  {
    title: "limits of 30 and 60 seconds hold while the clock is set by ten minutes",
    plan: (chance) => ({
      ...live,
      commands: inOneShell(chance.pick([submit, prove]), { do: "await", task: 1 }),
      faults: [
        { kind: "slow", work: 1 },
        { kind: "clock", at: chance.below(20_000), jump: chance.pick([-600_000, 600_000]) },
      ],
    }),
  },
  {
    title: "a call that is never answered ends, and what became of it is unknown",
    plan: (chance) => ({
      ...live,
      commands: inShells([0, chance.pick([submit, prove, upload])], [chance.below(2_000), submit]),
      faults: [
        {
          kind: "network",
          call: chance.between(1, 2),
          fate: chance.pick([
            "it arrives, and nothing is heard",
            "it is lost, and nothing is heard",
            "the answer is late",
          ]),
        },
      ],
    }),
  },
  {
    title: "what the service has forgotten can be given up, or is read from the store",
    plan: (chance) => ({
      ...chance.pick([live, development]),
      commands: inOneShell(chance.pick([prove, submit]), submit, { do: "resume" }),
      faults: [
        { kind: "forget", at: chance.below(4_000) },
        { kind: "kill", command: 1, step: chance.between(10, 30) },
      ],
    }),
  },
  {
    title: "what the service has forgotten is awaited in the store",
    plan: (chance) => ({
      ...live,
      commands: inShells([0, submit], [chance.between(40_500, 41_000), { do: "await", task: 1 }]),
      faults: [
        { kind: "forget", at: 40_000 },
        ...(chance.happens(0.5) ? [{ kind: "kill", command: 1, step: 15 } as const] : []),
      ],
    }),
  },
  {
    title:
      "a task is awaited whose first submission failed, and whose second has its result without an answer",
    plan: (chance) => ({
      ...chance.pick([live, development]),
      commands: inShells([0, submit], [40_000, submit]),
      faults: [
        { kind: "failure", work: 1 },
        { kind: "kill", command: 2, step: chance.between(10, 14) },
      ],
    }),
  },
  {
    title: "what failed and was forgotten before anybody saw it can be given up",
    plan: (chance) => ({
      ...chance.pick([live, development]),
      commands: inShells(
        [0, chance.pick([submit, prove])],
        [chance.between(40_500, 41_000), { do: "resume" }],
      ),
      faults: [
        { kind: "failure", work: 1 },
        { kind: "kill", command: 1, step: 15 },
        { kind: "forget", at: 40_000 },
      ],
    }),
  },
  {
    title: "what was sent for a chain that started anew, or went back, is ended and sent again",
    plan: (chance) => ({
      ...development,
      commands: [
        ...inOneShell(submit, submit),
        ...(chance.happens(0.5)
          ? [{ id: 3, shell: 1, request: { ...submit, force: true } } as const]
          : []),
      ],
      faults: [
        { kind: "chain", at: chance.below(20_000), does: chance.pick(["restart", "revert"]) },
      ],
    }),
  },
  {
    title:
      "what was sent for a new chain ends with its result, also where the same is sent for the old one after it",
    plan: (chance) => ({
      ...development,
      commands: inShells([0, submit], [chance.between(400, 900), submit]),
      faults: [
        { kind: "chain", at: chance.between(40, 80), does: "restart" },
        { kind: "stop", command: 1, step: chance.between(2, 4), ms: 3_000 },
      ],
    }),
  },
  {
    title: "a reorganised result is not sent again, and is read once it is back",
    plan: (chance) => ({
      ...live,
      commands: inShells(
        [0, submit],
        [40_000, submit],
        [chance.between(40_001, 41_000), { do: "resume" }],
      ),
      faults: [
        {
          kind: "chain",
          at: chance.pick([chance.between(500, 4_000), 39_999]),
          does: "reorganise",
        },
      ],
    }),
  },
  {
    title:
      "what was sent before it was recorded as accepted is asked about, and settled by what the console shows",
    plan: (chance) => ({
      ...live,
      commands: inOneShell(chance.pick([submit, prove, upload]), { do: "settle" }, submit),
      faults: [{ kind: "kill", command: 1, step: chance.between(5, 14) }],
    }),
  },
  {
    title:
      "what a service of a development chain has lost is sent again once, by whichever process is first",
    plan: (chance) => {
      const request = chance.pick([prove, order, upload]);
      return {
        ...development,
        commands: inShells([0, request], [50_000, request], [50_000 + chance.below(400), request]),
        faults: [
          { kind: "forget", at: 40_000 },
          ...(chance.happens(0.5) ? [stop(2, chance.between(1, 6))] : []),
        ],
      };
    },
  },
  {
    title: "what a service of a live chain has lost is not sent again, unless the user gives it up",
    plan: (chance) => ({
      ...live,
      commands: inShells([0, chance.pick([prove, order])], [50_000, prove], [51_000, order]),
      faults: [{ kind: "forget", at: 40_000 }],
    }),
  },
  {
    title:
      "a program is stored once, also where a registry that fails looks as if it did not know it",
    plan: (chance) => ({
      ...chance.pick([live, development]),
      commands: inOneShell(upload, upload, upload),
      faults: [
        { kind: "network", call: chance.between(2, 3), fate: "it fails with 500 and no body" },
      ],
    }),
  },
  {
    title: "tasks whose rehearsal fails are not sent, whoever else sends them meanwhile",
    plan: (chance) => ({
      ...chance.pick([live, development]),
      commands: inShells(
        [0, { do: "submit", tasks: [1, 2], ...(chance.happens(0.3) ? { force: true } : {}) }],
        [chance.below(5_000), submit],
      ),
      faults: [
        { kind: "rehearsal", command: 1 },
        ...(chance.happens(0.5) ? [stop(1, chance.between(1, 6))] : []),
      ],
    }),
  },
  {
    title:
      "what a contract asks for is sent once, also after it failed, whoever watches or submits it",
    plan: (chance) => ({
      ...live,
      commands: inShells(
        [0, chance.pick([answer, { do: "watch" }])],
        [chance.pick([0, 300, 25_000]), chance.pick([answer, { do: "watch" }])],
        [50_000, answer],
      ),
      faults: chance.happens(0.6) ? [{ kind: "failure", work: 1 }] : [],
    }),
  },
  {
    title: "what failed is retried once, and not submitted while it is",
    plan: (chance) => ({
      ...live,
      commands: inShells(
        [0, submit],
        [50_000 + chance.below(600), { do: "retry" }],
        [50_000 + chance.below(600), chance.pick([submit, { do: "retry" }])],
        [80_000, submit],
      ),
      faults: [
        { kind: "failure", work: 1 },
        ...(chance.happens(0.3) ? [{ kind: "failure", work: 2 } as const] : []),
        ...(chance.happens(0.5) ? [stop(2, chance.between(1, 8))] : []),
      ],
    }),
  },
];

import { Chance, mixed } from "./chance.js";
import { FATES, type FateName } from "./network.js";

/** What the user asks for, each time in a process of its own. Tasks, bodies and programs are numbers. */
export type Request =
  /** Submits, awaits and reads, as `hdp:submit` does. */
  | { readonly do: "submit"; readonly tasks: readonly number[]; readonly force?: true }
  /** `hdp:submit --request`: submits what a contract asked for, awaits and reads. */
  | { readonly do: "answer"; readonly task: number }
  /** `hdp:submit --watch`: submits what contracts ask for, tasks 1 and 2, for some time. */
  | { readonly do: "watch" }
  /** `hdp service-tasks retry` of whatever has failed. */
  | { readonly do: "retry" }
  /** `hdp:await` with a task hash. */
  | { readonly do: "await"; readonly task: number }
  /** Resumes whatever is listed as unfinished. */
  | { readonly do: "resume" }
  /** Says of each undecided submission what the console of the service shows. */
  | { readonly do: "settle" }
  /** Gives up what is not accepted: everything that is listed and that the console does not show. */
  | { readonly do: "give up" }
  | { readonly do: "prove"; readonly body: number }
  | { readonly do: "order"; readonly body: number }
  | { readonly do: "upload"; readonly program: number };

export interface Command {
  readonly id: number;
  /** Commands of one shell run one after another, those of several at once. */
  readonly shell: number;
  /** Milliseconds before it begins, after the one before it in its shell. */
  readonly after?: number;
  readonly request: Request;
}

/** Hashes that a service answers with: one for each task, one that has a result already, or one less than tasks. */
export const FOREIGN_HASHES = ["the same", "finalized before", "too few"] as const;
export type ForeignHashes = (typeof FOREIGN_HASHES)[number];

export type Fault =
  | { readonly kind: "network"; readonly call: number; readonly fate: FateName }
  | { readonly kind: "node"; readonly call: number }
  | { readonly kind: "disk"; readonly command: number; readonly transaction: number }
  | { readonly kind: "kill"; readonly command: number; readonly step: number }
  /** As a transaction begins, another process carries out what it does without waiting. */
  | {
      readonly kind: "between";
      readonly command: number;
      readonly transaction: number;
      readonly request: Request;
    }
  | { readonly kind: "stop"; readonly command: number; readonly step: number; readonly ms: number }
  | { readonly kind: "clock"; readonly at: number; readonly jump: number }
  | {
      readonly kind: "chain";
      readonly at: number;
      readonly does: "reorganise" | "revert" | "restart";
    }
  | { readonly kind: "forget"; readonly at: number }
  /** The service answers a submission of tasks with hashes that are not theirs. */
  | { readonly kind: "hashes"; readonly answer: number; readonly are: ForeignHashes }
  /** Another program deletes parts of submissions. */
  | { readonly kind: "delete rows"; readonly at: number }
  /** Another program deletes the database, or puts the file of an earlier time in its place. */
  | { readonly kind: "replace"; readonly at: number; readonly from?: number }
  | { readonly kind: "failure"; readonly work: number }
  /** What a command would send fails when it is run here before. */
  | { readonly kind: "rehearsal"; readonly command: number }
  | { readonly kind: "slow"; readonly work: number };

/** A history before it happens: plain data, so that it can be printed, shrunk and replayed. */
export interface Plan {
  /** Of everything that is not said here: how long messages and work take. */
  readonly seed: number;
  readonly chain: "live" | "development";
  /** Whether the service hashes tasks in its own way. */
  readonly hasOwnHashes: boolean;
  /** Whether the service takes one task a request, as the one of today does. */
  readonly takesOneTask?: boolean;
  readonly commands: readonly Command[];
  readonly faults: readonly Fault[];
}

export const FATE_NAMES = Object.keys(FATES).filter((name): name is FateName => name in FATES);

/** The random plan of a seed. */
export function randomPlan(seed: number): Plan {
  const chance = new Chance(mixed(seed, 1));
  const shells = chance.pick([1, 1, 2, 2, 2, 3]);
  const commands = Array.from({ length: chance.between(1, 5) }, (_, index): Command => {
    const shell = index < shells ? index + 1 : chance.between(1, shells);
    const after = chance.pick([0, 0, chance.below(400), chance.below(5_000)]);
    return { id: index + 1, shell, after, request: randomRequest(chance) };
  });
  const chain = chance.pick(["live", "live", "development"]);
  const faults = Array.from({ length: chance.pick([0, 1, 1, 2, 2, 3, 4]) }, () =>
    randomFault(chance, commands.length, chain),
  );
  const hasOwnHashes = chance.happens(0.2);
  return { seed, chain, hasOwnHashes, takesOneTask: chance.happens(0.4), commands, faults };
}

function randomRequest(chance: Chance): Request {
  const tasks = chance.pick([[1], [1], [1], [2], [1, 2], [2, 1], [1, 2, 3]]);
  const choices: [() => Request, ...(() => Request)[]] = [
    () => ({ do: "submit", tasks }),
    () => ({ do: "submit", tasks }),
    () => ({ do: "submit", tasks }),
    () => (chance.happens(0.2) ? { do: "submit", tasks, force: true } : { do: "submit", tasks }),
    () => ({ do: "answer", task: chance.between(1, 2) }),
    () => ({ do: "watch" }),
    () => ({ do: "retry" }),
    () => ({ do: "await", task: chance.between(1, 2) }),
    () => ({ do: "resume" }),
    () => ({ do: "settle" }),
    () => ({ do: "give up" }),
    () => ({ do: "prove", body: 1 }),
    () => ({ do: "order", body: 1 }),
    () => ({ do: "upload", program: 1 }),
  ];
  return chance.pick(choices)();
}

function randomFault(chance: Chance, commands: number, chain: Plan["chain"]): Fault {
  const command = chance.between(1, commands);
  const step = chance.between(1, chance.pick([12, 30]));
  const at = chance.below(chance.pick([2_000, 40_000]));
  const does = chain === "live" ? "reorganise" : chance.pick(["revert", "restart"]);
  const choices: [() => Fault, ...(() => Fault)[]] = [
    () => ({
      kind: "network",
      call: chance.between(1, 6),
      fate: FATE_NAMES[chance.below(FATE_NAMES.length)] ?? "it arrives twice",
    }),
    () => ({
      kind: "network",
      call: chance.between(1, 3),
      fate: FATE_NAMES[chance.below(FATE_NAMES.length)] ?? "it arrives twice",
    }),
    () => ({ kind: "node", call: chance.between(1, 8) }),
    () => ({ kind: "disk", command, transaction: chance.between(1, 6) }),
    () => ({ kind: "kill", command, step }),
    () => ({ kind: "kill", command, step }),
    () => ({
      kind: "between",
      command,
      transaction: chance.between(1, 4),
      request: chance.pick([
        { do: "prove", body: 1 },
        { do: "order", body: 1 },
        { do: "upload", program: 1 },
        { do: "settle" },
      ]),
    }),
    () => ({ kind: "stop", command, step, ms: chance.pick([300, 3_000, 20_000]) }),
    () => ({ kind: "clock", at, jump: chance.pick([-600_000, 600_000]) }),
    () => ({ kind: "chain", at, does }),
    () => ({ kind: "forget", at }),
    () => (chance.happens(0.5) ? { kind: "replace", at } : { kind: "replace", at, from: at / 2 }),
    () => ({ kind: "failure", work: chance.between(1, 2) }),
    () => ({ kind: "rehearsal", command }),
    () => ({
      kind: "hashes",
      answer: chance.between(1, 3),
      are: chance.pick(FOREIGN_HASHES),
    }),
    () => ({ kind: "slow", work: chance.between(1, 2) }),
  ];
  return chance.pick(choices)();
}

/** A plan in words, a line for each command and fault. */
export function described(plan: Plan): string[] {
  const { chain, hasOwnHashes, takesOneTask, commands, faults } = plan;
  const place = `A ${chain} chain${hasOwnHashes ? ", and a service with its own task hashes" : ""}.`;
  const oneTask = takesOneTask === true ? ["The service takes one task a request."] : [];
  return [place, ...oneTask, ...commands.map(commandInWords), ...faults.map(faultInWords)];
}

function commandInWords({ id, shell, after = 0, request }: Command): string {
  const when = after === 0 ? "" : ` after ${after} ms`;
  return `Command ${id}, in shell ${shell}${when}, ${requestInWords(request)}.`;
}

function requestInWords(request: Request): string {
  return {
    submit: () =>
      "tasks" in request
        ? `submits tasks ${request.tasks.join(", ")}${request.force === true ? " by force" : ""}`
        : "",
    answer: () =>
      "task" in request ? `submits task ${request.task}, which a contract asked for` : "",
    watch: () => "submits what contracts ask for",
    retry: () => "retries what has failed",
    await: () => ("task" in request ? `awaits task ${request.task}` : ""),
    resume: () => "resumes what is unfinished",
    settle: () => "says what the console shows of undecided submissions",
    "give up": () => "gives up what the console does not show",
    prove: () => "requests a storage proof",
    order: () => "orders that something grows",
    upload: () => "uploads a program",
  }[request.do]();
}

function faultInWords(fault: Fault): string {
  switch (fault.kind) {
    case "network":
      return `Call ${fault.call}: ${fault.fate}.`;
    case "node":
      return `The node fails to answer its call ${fault.call}.`;
    case "disk":
      return `The disk is full in transaction ${fault.transaction} of command ${fault.command}.`;
    case "between":
      return `As transaction ${fault.transaction} of command ${fault.command} begins, another process ${requestInWords(fault.request)}.`;
    case "rehearsal":
      return `The rehearsal of command ${fault.command} fails.`;
    case "kill":
      return `Command ${fault.command} is killed at step ${fault.step}.`;
    case "stop":
      return `Command ${fault.command} stands still for ${fault.ms} ms from step ${fault.step} on.`;
    case "clock":
      return `After ${fault.at} ms the clock is set by ${fault.jump / 60_000} minutes.`;
    case "chain":
      return `After ${fault.at} ms the chain ${{ reorganise: "is reorganised", revert: "goes back to a snapshot", restart: "starts anew" }[fault.does]}.`;
    case "forget":
      return `After ${fault.at} ms the service forgets what has ended.`;
    case "delete rows":
      return `After ${fault.at} ms another program deletes rows of the database.`;
    case "hashes":
      return `Answer ${fault.answer} to a submission of tasks has other hashes: ${fault.are}.`;
    case "replace":
      return fault.from === undefined
        ? `After ${fault.at} ms the database is deleted.`
        : `After ${fault.at} ms the database is replaced by its copy of ${fault.from} ms.`;
    case "slow":
      return `The service takes minutes for its work ${fault.work}.`;
    case "failure":
      return `The service fails at its work ${fault.work}.`;
  }
}

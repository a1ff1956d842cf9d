import type { Command, Fault, Plan } from "./plan.js";
import { simulate } from "./simulate.js";

/** A plan that breaks the same promise with as little as possible: a smaller one does not break it. */
export async function shrunk(plan: Plan): Promise<Plan> {
  const promise = promiseOf((await simulate(plan)).violations);
  let smallest = plan;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(smallest)) {
      if (promiseOf((await simulate(smaller)).violations) !== promise) continue;
      smallest = smaller;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** The first violation without its numbers: what two histories have in common. */
export function promiseOf([first]: readonly string[]): string | undefined {
  return first?.replaceAll(/0x[0-9a-f]+|\d+/g, "…");
}

function* smallerThan(plan: Plan): Generator<Plan> {
  const { commands, faults } = plan;
  for (const fault of faults) yield { ...plan, faults: faults.filter((one) => one !== fault) };
  for (const command of commands) {
    yield {
      ...plan,
      commands: commands.filter((one) => one !== command),
      faults: faults.filter((fault) => !("command" in fault) || fault.command !== command.id),
    };
  }
  if (plan.hasOwnHashes) yield { ...plan, hasOwnHashes: false };
  if (plan.takesOneTask === true) yield { ...plan, takesOneTask: false };
  for (const command of commands) {
    for (const simpler of simplerThan(command)) {
      yield { ...plan, commands: commands.map((one) => (one === command ? simpler : one)) };
    }
  }
  for (const fault of faults) {
    for (const simpler of milderThan(fault)) {
      yield { ...plan, faults: faults.map((one) => (one === fault ? simpler : one)) };
    }
  }
}

function* simplerThan(command: Command): Generator<Command> {
  const { request, shell } = command;
  if (shell > 1) yield { ...command, shell: 1 };
  if (request.do !== "submit") return;
  if (request.force === true) yield { ...command, request: { do: "submit", tasks: request.tasks } };
  for (const task of request.tasks) {
    const tasks = request.tasks.filter((one) => one !== task);
    if (tasks.length > 0) yield { ...command, request: { ...request, tasks } };
  }
}

function* milderThan(fault: Fault): Generator<Fault> {
  if (fault.kind === "stop" && fault.ms > 300) yield { ...fault, ms: 300 };
}

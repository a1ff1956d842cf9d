import type { ErrorTemplate } from "./catalogue-entry.js";

/** The errors of submissions and their database. */
export const SUBMISSION_ERRORS = {
  "HDP-5003": {
    title: "Another process is sending the same",
    message:
      "process {sender} has been sending submission {id} for longer than {seconds} s. Nothing was sent.",
    hints: [
      "Wait until it has its answer, or end it, and run the command again.",
      "Where the service shows it, name its id: {accepted}",
      "Where it has ended, on another machine, and the service does not show it, give the submission up: {lost}",
    ],
    description: "It may be stopped, or wait for a service that does not answer.",
  },
  "HDP-5005": {
    title: "It is not known whether an earlier submission was accepted",
    ends: "unknown outcome",
    message: "it is not known whether the service accepted {what}, sent before. Nothing was sent.",
    description:
      "Look in the service's console, then record what you found with the commands in the message.",
  },
  "HDP-5007": {
    title: "Accepted, but not recorded",
    ends: "unknown outcome",
    message: "the service accepted {what}{as}, but {problem}.",
    hints: [
      "Once the database can be written again: {command}",
      "What else the file recorded may be sent again: put it back. This one was recorded anew, wait for it: {resume}",
    ],
    description:
      "The database could not be written, or was deleted or replaced while the request was under way. The submission is not sent again. Keep the id from the message.",
  },
  "HDP-5008": {
    title: "It is not known whether the submission was accepted",
    ends: "unknown outcome",
    message: "it is not known whether {what} ({id}) was accepted ({reason}).",
    hints: [
      "It is not sent again by itself: it might be done, and charged, twice.",
      "What can be done: {command}",
    ],
    description: "Submitting the same again ends with HDP-5005 until it is settled.",
  },
  "HDP-5009": {
    title: "The submission cannot be resumed",
    message: "{what} {id} cannot be resumed: it is {state}{missing}.",
  },
  "HDP-5010": {
    title: "No such submission",
    message: 'there is no submission{kind} "{name}".',
    hints: [
      "It is {other}. What became of it: {look}",
      "Give an id, the beginning of one (4 characters or more), or a task hash: npx hardhat hdp list shows them.",
      "{alike} ids begin so: give more.",
    ],
    description: "Check that the command runs in the project that sent it.",
  },
  "HDP-5011": {
    title: "The submission is in another state",
    message: "{what} {id} is {state} and cannot be recorded as {wanted}. Nothing was changed.",
    hints: ["npx hardhat hdp list shows where each submission stands."],
    description: "Only one of unknown outcome, or given up, can be recorded as accepted.",
  },
  "HDP-5013": {
    title: "Sent before, without an id",
    message: "it was {sent}. Nothing was sent.",
    hints: [
      "It has no id by which it could be looked at. Send it again with --force (force: true).",
    ],
  },
  "HDP-5014": {
    title: "The stored result may be of other private inputs or injected state",
    message:
      "the execution store {store} has a result for the task hash {hash} that may be of other private inputs or injected state. Nothing was sent.",
    hints: [
      "The task hash covers the program and its public inputs only: make what differs, or a hash of it, a public input, so that each task has its own hash.",
      "--force sends the task all the same.",
    ],
  },
  "HDP-5015": {
    title: "The task is open under another API version",
    message:
      "{what} is open at {host} as {serviceId}, where it was sent in the API version {version}. Nothing was sent.",
    hints: [
      'Await it with the configuration it was sent with: edition: "{version}".',
      "--force sends it again, which may be charged again.",
    ],
  },
  "HDP-5017": {
    title: "The id is another submission's",
    message: "{id} is not the service's id of {what}: {reason}. Nothing was recorded.",
    hints: [
      "Look for the submission in the service's console, and name the id that it shows there.",
      "Where the service hashes tasks in another way, --force records the id all the same.",
    ],
    description:
      "Of a storage proof request or grow order, the service says only that it knows the id.",
  },
  "HDP-5018": {
    title: "The service returned hashes of other tasks",
    ends: "service",
    message: "the service accepted {what} as {id}, and returned {fault}. Its hashes are not used.",
    hints: [
      "It is not sent again. Look at it in the service's console, or wait for results under the tasks' own hashes: {command}",
    ],
    description:
      "A service may hash a task in its own way, and its result is then read under that hash. A hash of two tasks, or one that was finalized before the task was sent, would be read as the result of another task.",
  },
  "HDP-5019": {
    title: "The service computed another task",
    ends: "service",
    message:
      "the service says that the hash of {id} is {theirs}, and the task's hash is {own}: it computed another task.",
    hints: [
      "A standard program has one hash however it is computed, so no result under {theirs} is this task's, and none is read.",
      "Look at {id} in the service's console: which program and inputs does it name?",
    ],
    description:
      "Services may hash the program of a module in another way, and its result is then read under their hash. Not so of the standard programs.",
  },
  "HDP-5020": {
    title: "A contract's request was sent before, and failed",
    message:
      "task {hash}, which a contract asked for, was sent as submission {id} and failed{state}. Nothing was sent.",
    hints: [
      "Start the same task again at the service: {retry}",
      "--force sends it as a new task, which may be charged again.",
    ],
    description:
      "What a contract asks for is sent at most once, so that a watch cannot pay for a failing task again and again.",
  },
  "HDP-5021": {
    title: "The submission is not retried",
    message: "submission {id} is not retried: {reason}. Nothing was sent.",
    hints: ["npx hardhat hdp list shows where each submission stands."],
    description:
      "Only one that has failed is started again: what is open would be done, and charged, twice.",
  },
  "HDP-5022": {
    title: "Accepted by a service of another API version",
    message:
      "{what} was accepted as {id} by a service that answers in API version {found}, and {configured} is configured. It is recorded, and not sent again.",
    hints: [
      'Change the line of the data processor in hardhat.config.ts: edition: "{found}"',
      "Then wait for it: {command}",
    ],
    description: "The reply has the form of another version: its id is the task's all the same.",
  },
  "HDP-5101": {
    title: "The database cannot be written",
    message: "the database cannot be written: {reason}.",
    hints: [
      "Free space on the disk, or make the file and its folder writable, and run the command again.",
    ],
  },
  "HDP-5102": {
    title: "The database is damaged",
    message: "the database cannot be read: {reason}.",
    hints: [
      "Restore a copy. Else look in the service's console for what is open, then move the file away.",
    ],
    description: "Nothing is sent, since the file may record open tasks.",
  },
  "HDP-5103": {
    title: "Another process holds the database",
    message: "another process has held the database for {seconds} s or longer.",
    hints: [
      "End the process that holds the file (lsof shows it), and run the command again.",
      "Two development servers need two folders: --data-dir.",
    ],
  },
  "HDP-5104": {
    title: "Files cannot be locked on this disk",
    message: "the database cannot be locked: {reason}.",
    hints: ['Name a folder on a local disk: hdp: { dataDir: "/path/to/folder" }.'],
    description:
      "Some network and container mounts don't. Without locks, two processes could send one task twice.",
  },
  "HDP-5105": {
    title: "The database is of another version",
    message: "the database is of version {found}, and this hardhat-hdp reads version {version}.",
    hints: [
      "Use the version of hardhat-hdp that wrote it, or move the file away once nothing in it is open.",
    ],
  },
} as const satisfies Readonly<Record<`HDP-5${number}`, ErrorTemplate>>;

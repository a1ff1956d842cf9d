import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Journal: HDP-5xxx. */
export const JOURNAL_ERRORS = {
  "HDP-5001": {
    title: "The journal cannot be written",
    meaning:
      "The journal of submissions could not be created, written or synced: the disk is full, the directory is not writable, or the path is a directory. A submission whose intent is not on the disk is not sent.",
    remedy:
      "Free space or correct the permissions and run the command again. The code in brackets is the operating system's. A line that was written in part stays in the file and is skipped; see [the journal](../journal.md).",
    example: [
      "HDP-5001 in /project/hdp/journal.jsonl: the journal cannot be written (ENOSPC).",
      "  Nothing is sent without it: free space on the disk or correct the permissions, and run the command again.",
    ].join("\n"),
  },
  "HDP-5002": {
    title: "The journal cannot be read",
    meaning:
      "The journal's file exists but the operating system refused to read it, or lines of it were changed after this process had read them first.",
    remedy:
      "Correct the file's permissions, or name another file as the journal. A journal that does not exist is not an error: it is empty. After a change, `npx hardhat hdp journal --check` says what is damaged; nothing was sent.",
    example: [
      "HDP-5002 in /project/hdp/journal.jsonl: the journal cannot be read (EACCES).",
      "  Correct its permissions, or name another file as the journal.",
    ].join("\n"),
  },
  "HDP-5003": {
    title: "Another process holds the journal",
    meaning:
      "A submission holds the journal's lock while it decides what is sent, and marks what it is sending until the answer is written, so that two processes never send the same task. Another process kept the lock, or took to send the same task, for longer than this one waits. The lock of a process that ended on the same machine is taken over; a lock from another machine or container is not, because nothing tells whether that process is alive.",
    remedy:
      "Wait until the other process has submitted, or end it. When it is certain that nobody holds the lock, delete the lock file that the message names.",
    example: [
      "HDP-5003: process 4711 on build-7 holds the journal's lock /project/hdp/journal.jsonl.lock for longer than 120 s.",
      "  Wait until that process has submitted, or end it, and run the command again.",
      "  A lock left by another machine or container is not taken over: when it is certain that nobody holds it, delete /project/hdp/journal.jsonl.lock.",
    ].join("\n"),
  },
  "HDP-5004": {
    title: "The lock file does not say who holds it",
    meaning: "The file in the lock's place is not a lock that this package wrote. A loss of power can leave it empty.",
    remedy: "Make sure that no other process is submitting, then delete the lock file that the message names.",
    example: [
      "HDP-5004: the lock file /project/hdp/journal.jsonl.lock does not say who holds it.",
      "  Make sure that no other process is submitting, then delete /project/hdp/journal.jsonl.lock and run the command again.",
    ].join("\n"),
  },
  "HDP-5005": {
    title: "Whether an earlier submission was accepted is not known",
    ends: "unknown outcome",
    meaning:
      "The same task (storage proof request, program, grow order) was sent before to the same service for the same destination, and no answer was recorded: the process ended, or the connection did, between sending and the answer. The service may or may not be working on it. Nothing is sent, because the task might run twice. Other tasks of the request wait too.",
    remedy:
      "Find out and say so: look the result up by task hash on the destination; when the service shows the submission, record its id; otherwise mark the submission as lost, or send again with `--force`. The message lists the command for each.",
    example: [
      "HDP-5005: whether a task of this request, sent before, was accepted is not known. Nothing was sent.",
      "  Task 0x5c1e…a902",
      "  Submission 6f9c…: Was about to be sent to hdp.example.org at 2026-01-01T00:00:00.000Z; the process ended before the answer was recorded, so it may have been accepted.",
      "  Look whether the results arrived on ETHEREUM_SEPOLIA: npx hardhat hdp:result 0x5c1e…a902",
      "  …",
    ].join("\n"),
  },
  "HDP-5006": {
    title: "The journal was written by a newer version",
    meaning:
      "A line of the journal has a format version that this version of the package does not know. It could be an open submission of the very task that is about to be sent.",
    remedy: "Update `hardhat-hdp` in this project. Listing still works and shows the lines that can be read.",
    example: [
      "HDP-5006 in /project/hdp/journal.jsonl:12: the journal was written by a newer version of hardhat-hdp (format version 2, this package reads 1). Nothing was sent.",
      "  A task that is open there might be sent twice: update hardhat-hdp and run the command again.",
    ].join("\n"),
  },
  "HDP-5007": {
    title: "Accepted, but not recorded",
    ends: "unknown outcome",
    meaning:
      "The data processor accepted the tasks, and writing its answer to the journal failed. The tasks are being computed. The journal has the intent, so that they are not sent again by accident.",
    remedy:
      "Keep the id from the message. Once the journal can be written again, record it with the command in the message; waiting then works as usual.",
    example: [
      "HDP-5007: the data processor accepted the tasks as 01JPJ03YJT, but the journal could not record it.",
      "  Once the journal can be written again: npx hardhat hdp resume 6f9c… --accepted 01JPJ03YJT",
      "  Task 0x5c1e…a902",
    ].join("\n"),
  },
  "HDP-5008": {
    title: "It is not known whether the submission was accepted",
    ends: "unknown outcome",
    meaning:
      "The request was sent and no answer arrived that proves acceptance or refusal: the connection was cut, the answer timed out or could not be understood. The journal keeps the submission as `unknown`.",
    remedy:
      "Run `npx hardhat hdp resume <id>`, which explains the ways out. Submitting the same tasks again stops with HDP-5005 until it is settled.",
    example: [
      "HDP-5008: it is not known whether the data processor accepted submission 6f9c… (SocketError).",
      "  It is not sent again by itself, because it might then run twice.",
      "  What can be done: npx hardhat hdp resume 6f9c…",
    ].join("\n"),
  },
  "HDP-5009": {
    title: "The submission cannot be resumed",
    meaning:
      "Waiting needs the service's id, and the journal has none for this submission: it was refused, given up, or its acceptance is not known.",
    remedy: "Follow the ways out in the message.",
    example: [
      "HDP-5009: submission 6f9c… cannot be resumed: the service's id for it is not known.",
      "  Submission 6f9c…: Was not accepted (HDP-2022: the service answered 400).",
      "  Correct the cause and submit the task file again.",
    ].join("\n"),
  },
  "HDP-5010": {
    title: "No such submission in the journal",
    meaning: "The name is neither a journal id nor a service id nor a task hash that the journal has.",
    remedy:
      "List the submissions with `npx hardhat hdp list` and name one of them. Check that the command runs in the project whose journal is meant.",
    example: [
      'HDP-5010: the journal has no submission "01JPJ".',
      "  Name a journal id, a service id or a task hash: npx hardhat hdp list shows them.",
      "  The journal holds 3 submissions.",
    ].join("\n"),
  },
  "HDP-5011": {
    title: "The submission is in another state",
    meaning:
      "Only an unfinished submission can be given up, and only one of unknown outcome (or given up) can be recorded as accepted.",
    remedy: "Look at the submission with `npx hardhat hdp list`. Nothing was changed.",
    example: [
      "HDP-5011: submission 6f9c… is finalized and cannot be marked as lost.",
      "  Nothing was changed: npx hardhat hdp list shows where each submission stands.",
    ].join("\n"),
  },
  "HDP-5012": {
    title: "A line of the journal is damaged",
    meaning:
      "A line of the journal was changed or cut after it was written: its checksum is wrong, or it is no line at all. What it said is lost; it could be that one of the tasks that are about to be sent is being computed already. The unfinished line of a process that was ended while writing is no such damage, and is passed over.",
    remedy:
      "`npx hardhat hdp journal --check` says for each damaged line what can still be read in it, and what the other lines know. Restore the file from a copy where there is one. Otherwise look the named tasks up, then `npx hardhat hdp journal --repair` records that the damage is known; the lines stay in the file.",
    example: [
      "HDP-5012 in /project/hdp/journal.jsonl:12: line 12 of the journal cannot be read (its checksum is wrong). Nothing was sent.",
      "  It may be about the very tasks that are to be sent, which would then run twice.",
      "  See what is lost and what is not: npx hardhat hdp journal --check",
      "  Restore the file from a copy, or go on without those lines: npx hardhat hdp journal --repair",
    ].join("\n"),
  },
  "HDP-5013": {
    title: "It was sent before",
    meaning:
      "The same grow order was sent to this service before and was accepted, as the journal tells. It is charged, so it is not sent a second time. The service's answer named no id by which it could be shown.",
    remedy: "List the grow orders with `npx hardhat hdp grow-orders`. To order the same again use `--force`.",
    example: [
      'HDP-5013: it was sent 2026-01-01T00:00:00.000Z to sp.example.org (network "sepolia"), accepted. Nothing was sent.',
      "  The service's answer named no id, by which it could be looked at.",
      "  Send it again with --force (force: true).",
    ].join("\n"),
  },
  "HDP-5014": {
    title: "The stored result is of other injected state",
    meaning:
      "The execution store keeps results by task hash, and the task hash covers a module's program and public inputs, not the tries it starts from. It holds a result for this hash, and the journal does not know it as the result of the same tries: reading it would answer for another state.",
    remedy:
      "Give the root as a public input of the module, so that each state has its own task hash; or send the task with `--force` where the store may take another result.",
    example:
      "HDP-5014 in injected_state: the execution store 0x5FbD… holds a result for the task hash 0x9f… that was computed from other injected state. Nothing was sent.",
  },
  "HDP-5101": {
    title: "The database file cannot be written",
    message: "the database cannot be written: {reason}.",
    hints: ["Free space on the disk, or make the file and its folder writable, and run the command again."],
    description:
      "Submissions are recorded before they are sent, and nothing is sent without a record. The disk is full, the folder is read-only, or the file belongs to another user.",
  },
  "HDP-5102": {
    title: "The database file is damaged",
    message: "the database cannot be read: {reason}.",
    hints: [
      "Restore the file from a copy. Without one, look in the service's cloud console for what is open, then move the file away.",
    ],
    description:
      "The file is not a SQLite database, or a part of it was overwritten. It may record tasks that are open, which would run twice if they were sent again, so nothing is sent until the file is restored or moved away.",
  },
  "HDP-5103": {
    title: "Another process holds the database file",
    message: "another process has been writing to the database for {seconds} s.",
    hints: ["End the process that holds the file (lsof shows it), and run the command again."],
    description:
      "Each write takes milliseconds. A process that was stopped in the middle of one, or another program that has the file open, keeps it locked.",
  },
  "HDP-5104": {
    title: "Files cannot be locked on this disk",
    message: "the database cannot be locked: {reason}.",
    hints: ['Name a folder on a local disk: hdp: { dataDir: "/path/to/folder" }.'],
    description:
      "Some network and container mounts do not lock files. Without locks, two processes could send one task twice.",
  },
  "HDP-5105": {
    title: "The database file is of another version",
    message: "the database is of version {found}, and this hardhat-hdp reads version {version}.",
    hints: ["Use the version of hardhat-hdp that wrote it, or move the file away once nothing in it is open."],
    description: "A newer or older hardhat-hdp wrote the file. It is not converted.",
  },
} as const satisfies Readonly<Record<`HDP-5${number}`, CatalogueEntry | ErrorTemplate>>;

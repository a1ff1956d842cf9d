import type { ErrorTemplate } from "./catalogue-entry.js";

/** The development server: HDP-45xx. */
export const DEV_SERVER_ERRORS = {
  "HDP-4501": {
    title: "The address or port is taken",
    message: "{server} cannot listen on {place}: {reason}.",
    hints: ["Give {remedy}."],
  },
  "HDP-4505": {
    title: "The task has too many samples to show",
    message: "the task has {samples} samples, and the dashboard shows at most {most}.",
    hints: ["npx hardhat hdp explain <task file> --out samples.csv writes them all."],
    description: "A task of more samples is computed and finalized as any other.",
  },
  "HDP-4510": {
    title: "Nothing is served at that path",
    message: "{method} {path} is not an endpoint of this server.",
    hints: [
      "The path takes {methods}.",
      "It is retired: use {current}.",
      "All endpoints are listed at /swagger/ and /openapi.json.",
    ],
    description: "Answered 404 for an unknown path, 405 for another method, and 410 for a path that is retired.",
  },
  "HDP-4513": {
    title: "The API key is missing or wrong",
    message: "the API key in the {place} is {fault}.",
    description:
      "Answered 401 for a missing key and 403 for a wrong one. The key is the header `X-API-KEY` for tasks and injected state, the query parameter `apiKey` for batches and programs, and the header `api-key` for storage proofs. Any key is accepted unless the server has one of its own.",
  },
  "HDP-4517": {
    title: "The body cannot be read",
    message: "the body cannot be read: {reason}.",
    hints: ["Send {form}."],
    description: "Answered 400, 408 after 30 seconds, or 415 for another content type.",
  },
  "HDP-4518": {
    title: "The request has errors",
    message: "the request cannot be accepted: {error}.",
    description: "Answered 400; nothing was accepted. `/swagger/` shows the schema of each endpoint.",
  },
  "HDP-4519": {
    title: "The id is unknown",
    message: "the server knows no {kind} {id}.",
    hints: ["{remedy}"],
    description: "Answered 404. Without a data folder, everything is forgotten when the server ends.",
  },
  "HDP-4524": {
    title: "The task cannot be retried",
    message: "task {id} is in state {state}, and only a failed task can be retried.",
    description: "Answered 400. Wait for the task, or submit it again where a second result is wanted.",
  },
  "HDP-4526": {
    title: "The Idempotency-Key cannot be used",
    message: "the Idempotency-Key {key} {fault}.",
    hints: ["Nothing was accepted. Give each request a key of its own."],
    description: "Answered 422 if the key came before with another path or body, 400 above 255 characters.",
  },
  "HDP-4527": {
    title: "The host is not this server's",
    message: "the host {host} is not this server's.",
    hints: ["Use an address such as 127.0.0.1, localhost, or the name that was given as --host."],
    description: "Answered 403: the host name of a web page may point at this machine (DNS rebinding).",
  },
  "HDP-4528": {
    title: "Pages of another origin may not use the server",
    message: "pages of {origin} may not use this server.",
    hints: ["Name the origin when the server is started: --cors http://localhost:3000"],
    description: "Answered 403: any page open in a browser could submit tasks and read their inputs.",
  },
  "HDP-4529": {
    title: "The request is too large",
    message: "the request is too large: {excess}.",
    hints: ["Split the request. The commands have fixed limits; a program that calls startDevServer can set others."],
    description: "Answered 413. `limits` of `startDevServer` raises them.",
  },
  "HDP-4530": {
    title: "The chain has no block so early",
    message: "no block of {chain} is as early as {timestamp} (seconds since 1970).",
    description: "A query of a storage proof request asks for a time before the chain's first block, and fails.",
  },
  "HDP-4531": {
    title: "The server has enough to do",
    message: "the server takes no more {what}: {found}.",
    hints: ["{remedy}"],
    description: "Answered 429. Work under way, and what is kept for ever, is bounded, as the memory is.",
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, ErrorTemplate>>;

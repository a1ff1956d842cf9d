import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** The development server: HDP-45xx. */
export const DEV_SERVER_ERRORS = {
  "HDP-4501": {
    title: "The port is taken",
    meaning: "The local front could not listen on its port on 127.0.0.1: most often another process does already.",
    remedy: "End the other process, or give another port: `--hdp-port 8556`, or `0` for any that is free.",
    example:
      "HDP-4501 in port: the local front cannot listen on port 8546: listen EADDRINUSE: address already in use 127.0.0.1:8546.",
  },
  "HDP-4502": {
    title: "The data folder's log cannot be used",
    meaning:
      "The file `front.jsonl` in the data folder cannot be opened, or has a line before its last that is not one the local front writes. An unfinished last line is no error: it is what a killed process leaves, and is cut off.",
    remedy: "Give another folder as `--data-dir`, or move this one away to begin anew. Nothing in it was changed.",
    example: "HDP-4502 in data/front.jsonl: the data folder's log cannot be used: line 3 is not JSON.",
  },
  "HDP-4503": {
    title: "The data folder is in use",
    meaning: "A running process has the data folder. Two fronts on one folder would write over each other.",
    remedy:
      "End that process, or give another folder as `--data-dir`. The lock of a process that was killed is taken over by itself; if the process named is no local front, delete the file `lock` in the folder.",
    example: "HDP-4503 in data: the data folder is in use by process 4711.",
  },
  "HDP-4510": {
    title: "Nothing is served at that path",
    meaning: "Answered 404. The local front has no endpoint at the path.",
    remedy: "See `/swagger/` or `/openapi.json` for all endpoints. Ids in paths must not be empty.",
    example: "HDP-4510: nothing is served at /task.",
  },
  "HDP-4511": {
    title: "The method is not allowed at that path",
    meaning: "Answered 405, with the allowed methods in the header `allow`.",
    remedy: "Use the method of the endpoint, see `/swagger/`.",
    example: "HDP-4511: DELETE is not allowed at /tasks, only POST, GET.",
  },
  "HDP-4512": {
    title: "The path is retired",
    meaning: "Answered 410. The specification says that the path must not be used any more.",
    remedy: "Use the path that the answer names: `POST /submit-request` and `GET /get_queries/{request_id}`.",
    example: "HDP-4512: /submit-batch-query is retired.",
  },
  "HDP-4513": {
    title: "The API key is missing",
    meaning:
      "Answered 401. The endpoint needs a key, as the specification says: header `X-API-KEY` for tasks, query parameter `apiKey` for batches and programs, header `api-key` for storage proofs.",
    remedy:
      'Send any key, or the one that was given as `--api-key`. For `X-API-KEY` the body is the published one, `{"error":"Missing Herodotus Cloud X-API-KEY header"}`.',
    example: "HDP-4513: the API key is missing: query parameter apiKey.",
  },
  "HDP-4514": {
    title: "The API key is wrong",
    meaning:
      "Answered 403. The local front was started with `--api-key` and another key was sent. The key is not repeated anywhere.",
    remedy: "Send the key that the local front was started with.",
    example: "HDP-4514: the API key in header X-API-KEY is not the one of this server.",
  },
  "HDP-4515": {
    title: "The body is too long",
    meaning:
      "Answered 413, and the connection is closed. A body may have 1 MiB; an uploaded program, and a module task that carries its class, 16 MiB.",
    remedy: "Send less: split a request, or upload the class as a program and name it by its hash.",
    example: "HDP-4515: the body is longer than 1,048,576 bytes.",
  },
  "HDP-4516": {
    title: "The body did not arrive in time",
    meaning: "Answered 408, and the connection is closed. A body has 30 seconds.",
    remedy: "Send the body at once.",
    example: "HDP-4516: the body did not arrive within 30 s.",
  },
  "HDP-4517": {
    title: "The body is not JSON",
    meaning: "Answered 400, or 415 where the content type says that it is something else. Bodies are JSON in UTF-8.",
    remedy: "Correct the text at the line and column that the answer names, and send `content-type: application/json`.",
    example: "HDP-4517: the body is not JSON: Not JSON at line 1, column 2: the text ends here.",
  },
  "HDP-4518": {
    title: "The request does not have the endpoint's form",
    meaning: "Answered 400. The hints name every member that is missing or of another type.",
    remedy: "Compare with the schema at `/swagger/`.",
    example: "HDP-4518: the request does not have the form that this endpoint takes.",
  },
  "HDP-4519": {
    title: "The id is unknown",
    meaning:
      "Answered 404. No task, batch, storage proof request, query or grow order has the id. Without a data folder everything is forgotten when the local front ends; the oldest of very many are forgotten in any case.",
    remedy: "Use the id as it was returned. A result can be read from the execution store by its task hash.",
    example: "HDP-4519: no batch 01JPJ03YJT1A93D6NF56G4GVEQ is known.",
  },
  "HDP-4520": {
    title: "The form has no program",
    meaning: "Answered 400. The multipart form has no part `programFile` (nor `program`, its older name).",
    remedy: "Name the part: `curl -F programFile=@x.compiled_contract_class.json …`",
    example: 'HDP-4520: the form has no part "programFile".',
  },
  "HDP-4521": {
    title: "The webhook's address is not allowed",
    meaning:
      "Answered 400; the task was not accepted. Webhooks are sent to loopback addresses only, unless others are allowed. A name is looked up when the task is submitted and again when the webhook is sent, and redirects are not followed.",
    remedy:
      "Give an address of this machine (`http://127.0.0.1:…`), or allow the host with the option `allowWebhooksTo` of `startLocalFront`.",
    example: 'HDP-4521: webhook_url "http://10.0.0.1/x" is not on this machine.',
  },
  "HDP-4522": {
    title: "The program of a module task is missing or contradicted",
    meaning:
      "Answered 400. The body names no program and has no class, or the class in it does not have the hash that is named.",
    remedy: "Upload the class and name its hash in `program_hash`, or send the class alone in `input.compiled_class`.",
    example: "HDP-4522: neither program_hash nor input.compiled_class is given.",
  },
  "HDP-4523": {
    title: "The destination chain is unknown",
    meaning:
      "Answered 400. `destination_chain_id` is not the id or name of a chain that the specification's sources name. Locally every chain identifier stands for the chain beside the front, whose own id (31337) is none of them.",
    remedy: "Use the id of the chain that is meant, for instance `0xaa36a7` (Ethereum Sepolia).",
    example: 'HDP-4523: destination_chain_id "0x7a69" is no known chain.',
  },
  "HDP-4524": {
    title: "The task cannot be retried",
    meaning: "Answered 400. Only a task in one of the states that end in `Failed` can be begun anew.",
    remedy: "Wait for the task; submit it again if a second result is wanted.",
    example: "HDP-4524: task 1f0c… is in state TaskDecommitmentCompleted: only a failed task can be retried.",
  },
  "HDP-4525": {
    title: "The body is not a multipart form",
    meaning: "Answered 400. A program is uploaded as a file in a multipart form.",
    remedy: "Use `curl -F programFile=@file`, or the form of your language's HTTP library.",
    example: "HDP-4525: the body is not a multipart form.",
  },
  "HDP-4526": {
    title: "The Idempotency-Key cannot be taken",
    meaning:
      "Answered 422: a request came before under the same `Idempotency-Key` with another body. Or 400: the key has more than 255 characters. Nothing was accepted.",
    remedy: "Give each request a key of its own, and repeat a request only with the body it had.",
    example: 'HDP-4526: the Idempotency-Key "20260101-1f0c" was sent before with another body.',
  },
  "HDP-4527": {
    title: "The host is not this server's",
    meaning:
      "Answered 403. The request's header `Host` names a host that does not lead to the local front. A page whose host name was pointed at this machine after it was loaded (DNS rebinding) asks like this.",
    remedy: "Use an address in digits such as `127.0.0.1`, `localhost`, or the name that was given as `--host`.",
    example: [
      'HDP-4527: the host "rebind.example" is not this server\'s.',
      "  Use an address such as 127.0.0.1, localhost, or the name that was given as --host.",
    ].join("\n"),
  },
  "HDP-4528": {
    title: "Pages of another origin may not use the server",
    meaning:
      "Answered 403, before anything was done. A browser sent the request for a web page that is not the local front's own. Any page that is open in the browser could otherwise submit tasks and read their private inputs.",
    remedy:
      "Name the page's origin when the front is started, for instance `--cors http://localhost:3000`. Programs other than browsers name no origin and are not concerned.",
    example: [
      'HDP-4528: pages of "https://example.org" may not use this server.',
      "  Start it with --cors and that origin to let them.",
    ].join("\n"),
  },
  "HDP-4529": {
    title: "The request is beyond a limit",
    meaning:
      "Answered 413. A request may have 1,000 tasks, 20,000 items of lists and members of objects, numbers of 78 digits, and lists and objects nested 64 deep; a class may have 81,920 felts.",
    remedy: "Split the request. A program that starts the front itself can give other `limits` to `startLocalFront`.",
    example: [
      "HDP-4529: the request has 2000 tasks, more than 1,000.",
      "  Split the request. The limits can be raised where the server is started.",
    ].join("\n"),
  },
  "HDP-4530": {
    title: "There is no such block",
    meaning:
      "A storage proof query asks for a block that the chain does not have, or for a time before its first block. The query fails with this as its action.",
    remedy: "Ask for a block that exists; on a simulated network, mine it first.",
    example: "HDP-4530: there is no block 999.",
  },
  "HDP-4531": {
    title: "The storage proof request cannot be served",
    meaning:
      "Answered 400; nothing was accepted. The hints name every part: unknown chains, header fields or properties, addresses that are names, slots that are not 32 bytes, blocks of which nothing is asked.",
    remedy: "Correct the parts that the hints name.",
    example: "HDP-4531: the storage proof request cannot be served.",
  },
  "HDP-4532": {
    title: "The server reads as much as it may",
    meaning:
      "Answered 503 with `Retry-After`. The bodies that are read at the time fill the room that there is for them, 64 MiB.",
    remedy: "Send the request again in a moment, and fewer of them at a time.",
    example: [
      "HDP-4532: the server is reading as much as it may at a time.",
      "  Send the request again in a moment.",
    ].join("\n"),
  },
  "HDP-4536": {
    title: "The program was not uploaded to the front",
    meaning: "A module task that came over HTTP names a program that neither an upload nor the project knows.",
    remedy: "Upload the compiled class to `/submit-program` of the same server, and submit the task again.",
    example: [
      "HDP-4536 in programHash: program 0x7 is not known here, so it cannot be run.",
      "  Upload its compiled class to /submit-program of this server, and submit the task again.",
    ].join("\n"),
  },
  "HDP-4533": {
    title: "The state server does not know the root",
    meaning:
      "The state server of the local front keeps tries by label and root. It was asked for a root that it never had under that label.",
    remedy: "Make the trie first: `POST /create_trie` with its label, keys and values answers its root.",
    example: "HDP-4533: the state server knows no trie with the label 0x1 and the root 0x2.",
  },
  "HDP-4534": {
    title: "A trie needs one value for each key",
    meaning: "`POST /create_trie` was given lists of keys and values that are not equally long.",
    remedy: "Give one value for each key.",
    example: "HDP-4534: a trie was to be made of 2 keys and 1 values.",
  },
  "HDP-4535": {
    title: "Another state server was named",
    meaning:
      "A task sent to the local front names a state server (`injected_state_server`). The front reads injected state from its own only.",
    remedy: "Leave the member out, and make the trie at the front: `POST /create_trie`.",
    example:
      'HDP-4535: injected_state_server is "https://state.example": this front reads injected state from its own state server only.',
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, CatalogueEntry | ErrorTemplate>>;

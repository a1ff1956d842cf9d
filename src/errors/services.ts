import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Configuration and services: HDP-2xxx. */
export const SERVICE_ERRORS = {
  "HDP-2001": {
    title: "No data processor is configured for the network",
    meaning:
      "The network is no development chain, so nothing is computed in this process unless you say so, and neither `hdp` nor the network's own `hdp` names a service.",
    remedy:
      'Give the network a service (`hdp.dataProcessor: { url, apiKey }`), or `"local"` to compute in this process and finalize with an account of the network. See [configuration](../configuration.md).',
    example: [
      'HDP-2001 in networks.sepolia.hdp.dataProcessor: no data processor is configured for network "sepolia".',
      '  Set it in hardhat.config.ts: { url: "https://…", apiKey: configVariable("HDP_API_KEY") },',
      '  or "local" to compute in this process and finalize with an account of the network.',
    ].join("\n"),
  },
  "HDP-2002": {
    title: "The address of an interface can't be read",
    meaning: "The address is a configuration variable that is not set, or that the keystore could not give.",
    remedy: "Set the variable that the message names, with `npx hardhat keystore set <NAME>` or in the environment.",
    example: [
      "HDP-2002 in networks.sepolia.hdp.dataProcessor.url: no address for the data processor.",
      "  It is the configuration variable HDP_URL, which is not set or can't be read. Nothing was sent.",
      "  Set it with: npx hardhat keystore set HDP_URL   (or the environment variable HDP_URL)",
    ].join("\n"),
  },
  "HDP-2003": {
    title: "No API key",
    meaning:
      "A call that the service wants a key for was about to be sent, and no key is configured for that interface. Reads that need no key are sent without one.",
    remedy:
      "Configure `apiKey` for the interface the message names. A Hardhat configuration variable keeps it out of the file: `npx hardhat keystore set HDP_API_KEY`, or the environment variable of that name.",
    example: "HDP-2003: no API key for the data processor.",
  },
  "HDP-2004": {
    title: "No program registry is configured",
    meaning:
      "A program was to be uploaded or looked up, and neither `hdp` nor the network's own `hdp` has `programRegistry`.",
    remedy: "Set `hdp.programRegistry: { submitUrl, metadataUrl, apiKey }`. See [configuration](../configuration.md).",
    example: [
      'HDP-2004 in networks.sepolia.hdp.programRegistry: no program registry is configured for network "sepolia".',
      '  Set it in hardhat.config.ts: hdp: { programRegistry: { submitUrl: "https://…", apiKey: configVariable("HDP_API_KEY") } }',
      "  Nothing was sent.",
    ].join("\n"),
  },
  "HDP-2005": {
    title: "No storage proof interface is configured",
    meaning:
      "A command of the storage proof interface ran, and neither `hdp` nor the network's own `hdp` has `storageProof`.",
    remedy: "Set `hdp.storageProof: { url, apiKey }`. See [configuration](../configuration.md).",
    example: [
      'HDP-2005 in networks.sepolia.hdp.storageProof: no storage proof interface is configured for network "sepolia".',
      '  Set it in hardhat.config.ts: hdp: { storageProof: { url: "https://…", apiKey: configVariable("HDP_API_KEY") } }',
      "  Nothing was sent.",
    ].join("\n"),
  },
  "HDP-2006": {
    title: "The data processor has no list of module tasks",
    meaning:
      "Listing, retrying and reading details of module tasks exists in edition `module-tasks` only; the network has another edition, the local data processor, or none.",
    remedy:
      'Name a network whose `dataProcessor` has `edition: "module-tasks"`, with `--network`. For a single submission, `npx hardhat hdp status <id>` works in every edition.',
    example: [
      'HDP-2006 in networks.sepolia.hdp.dataProcessor: this needs a data processor of edition "module-tasks"; network "sepolia" has edition "tasks".',
      '  Set edition: "module-tasks" with the address of such a service. Nothing was sent.',
    ].join("\n"),
  },
  "HDP-2007": {
    title: "A configured address is not an address",
    meaning:
      "The value of the configuration variable behind an address is no URL. The value is not shown, as it may hold a key.",
    remedy: "Set the variable to an address with `http://` or `https://`, host, port and path.",
    example: [
      "HDP-2007: a configured address is not an address.",
      "  Allowed is http:// or https:// with host, port and path.",
    ].join("\n"),
  },
  "HDP-2010": {
    title: "The address of a service cannot be used",
    meaning:
      "A configured base address is not `http://` or `https://`, or holds a user name, a password, a query or a fragment. The address is not repeated in the message, as it may hold a secret.",
    remedy: "Give scheme, host, port and path only, and configure the key as `apiKey`.",
    example: "HDP-2010: the address of the data processor cannot be used: it holds a query or a fragment.",
  },
  "HDP-2011": {
    title: "The API key cannot be used",
    meaning:
      "The configured key is empty, has white space around it, or holds a character that is not printable ASCII: it could not be sent as it is.",
    remedy: "Set the key again. A line break at the end is the usual cause.",
    example: "HDP-2011: the API key for the data processor cannot be used: it starts or ends with white space.",
  },
  "HDP-2012": {
    title: "The API key could not be read",
    meaning: "Reading the key from where it is kept failed. The reason is the error's `cause`.",
    remedy: "Look at the cause: a locked keystore, a wrong password, a missing variable.",
    example: "HDP-2012: the API key for the data processor could not be read.",
  },
  "HDP-2013": {
    title: "No address for the program registry",
    meaning:
      "The program registry has two addresses, one to submit programs and one to read their metadata. The one that the call needs is not configured.",
    remedy: "Set the option that the message names.",
    example: "HDP-2013 in programRegistry.submitUrl: no address is configured to upload a program.",
  },
  "HDP-2020": {
    title: "A datalake task in edition module-tasks",
    meaning:
      "The service's published documents know module tasks only. A datalake task in this edition is refused before anything is sent.",
    remedy: "Choose the edition `tasks` or `batch`, or run the task locally.",
    example:
      'HDP-2020 in tasks[0].type: edition "module-tasks" carries Module tasks only; this one is DatalakeCompute.',
  },
  "HDP-2021": {
    title: "More than one task in edition module-tasks",
    meaning: "A request of this edition has no list: it carries one task.",
    remedy: "Submit the tasks one by one, or choose the edition `tasks` or `batch`.",
    example: 'HDP-2021 in tasks: edition "module-tasks" carries one task per request; this one has 2.',
  },
  "HDP-2022": {
    title: "The service refused the request as invalid",
    meaning: "The service answered 400, 413, 415 or 422: it read the request and did not accept it.",
    remedy: "Correct what the quoted words name. Where they make no sense, the service may speak another edition.",
    example: "HDP-2022: the data processor refused the request as invalid (400) at POST https://…/tasks.",
  },
  "HDP-2024": {
    title: "The storage proof request makes no sense",
    meaning:
      "The parts given to `storageProofRequest` ask for nothing, ask twice for the same block, or hold a negative number, an address that is none or a slot of more than 32 bytes.",
    remedy:
      "Correct the place that the message names. For fields the builder does not know, give `submitRequest` the JSON itself.",
    example: "HDP-2024 in origins[0].blocks[0]: neither header fields nor accounts are given.",
  },
  "HDP-2025": {
    title: "Not an id",
    meaning: "An id that becomes part of an address is empty or a dot segment, and would reach another path.",
    remedy: "Give the id as the service returned it.",
    example: 'HDP-2025: "" is no id.',
  },
  "HDP-2026": {
    title: "The compiled class file cannot be read",
    meaning: "The file to upload does not exist or may not be read. The reason is the error's `cause`.",
    remedy: "Give the path of an existing compiled class file (JSON).",
    example: "HDP-2026 in build/module.json: the compiled class file cannot be read.",
  },
  "HDP-2027": {
    title: "Not a program hash",
    meaning: "A program hash is `0x` and 1 to 64 hex digits.",
    remedy: "Give the hash as the upload printed it.",
    example: 'HDP-2027 in programHash: "af13" is no program hash.',
  },
  "HDP-2028": {
    title: "The state server sent no proof",
    meaning:
      "A module run started from a root that is kept by the state server of `hdp.local.stateServer`. Asked for the nodes to a key (`POST /get_state_proofs`), it answered without any.",
    remedy: "Name a state server of the data processor, or the one that `npx hardhat hdp:node` runs.",
    example: "HDP-2028 in hdp.local.stateServer: the state server sent no proof of the key 0x2a under the root 0x1.",
  },
  "HDP-2030": {
    title: "The service asks for a key",
    ends: "service",
    meaning: "The service answered 401: the key is missing, wrong or expired.",
    remedy:
      "Check that the key is the one of this interface: each may have its own. Keys are created in the cloud console of the service.",
    example: "HDP-2030: the data processor refused the call as not authenticated (401) at POST https://…/tasks.",
  },
  "HDP-2031": {
    title: "The service does not allow the call",
    ends: "service",
    meaning: "The service answered 403: it knows the key, and the key may not make this call.",
    remedy: "Check in the cloud console what the key's project may do.",
    example:
      "HDP-2031: the data processor knows the caller but does not allow this call (403) at POST https://…/tasks.",
  },
  "HDP-2032": {
    title: "The service asks for payment",
    ends: "service",
    meaning:
      "The service answered 402: the project of the key has no credit, no plan or no valid means of payment for this call. Of a submission this does not prove that nothing was accepted, so it is not sent again by itself.",
    remedy:
      "Settle it in the cloud console, then repeat; of a submission, look first at what `npx hardhat hdp list` says.",
    example: "HDP-2032: the data processor asks for payment before it takes this call (402) at POST https://…/tasks.",
  },
  "HDP-2040": {
    title: "The service knows nothing at the address",
    ends: "service",
    meaning: "The service answered 404: it knows no such task, request or path.",
    remedy:
      "Check the id. When every id is unknown, check the configured address and edition. A submission that the service has forgotten, such as a local front that was started again, is given up with the command that the message names.",
    example: "HDP-2040: the data processor has nothing at GET https://…/tasks/01J…/status (404).",
  },
  "HDP-2041": {
    title: "The program is unknown to the registry",
    ends: "service",
    meaning:
      "The program registry knows no program of that hash. The published registry says so by answering 500 with an empty body; 404 means the same.",
    remedy: "Check the hash, or upload the compiled class: `npx hardhat hdp:program:upload <file>`.",
    example: "HDP-2041: the program registry knows no program 0x1.",
  },
  "HDP-2042": {
    title: "The service has retired the path",
    ends: "service",
    meaning: "The service answered 410: the path was served once and is no longer.",
    remedy: "Choose the edition that the service speaks.",
    example: "HDP-2042: the data processor no longer serves POST https://…/submit-batch (410).",
  },
  "HDP-2050": {
    title: "Too many calls",
    ends: "service",
    meaning:
      "The service answered 429, also when the call was repeated after a pause, or asks for a pause longer than the call may take.",
    remedy: "Call again later. `retryAfterMs` of the error has the pause that the service asked for, when it did.",
    example: "HDP-2050: the data processor limits the rate of calls (429) at GET https://…/tasks/01J…/status.",
  },
  "HDP-2060": {
    title: "The service failed",
    ends: "service",
    meaning: "The service answered 5xx; a read was repeated before this was reported.",
    remedy: "Call again later. When it lasts, show the operator of the service the quoted words.",
    example: "HDP-2060: the data processor failed (500) at GET https://…/tasks/01J…/status.",
  },
  "HDP-2061": {
    title: "The service answered an unexpected status",
    ends: "service",
    meaning: "The service answered a status that no call here expects.",
    remedy: "Check that the configured address and edition belong to this service.",
    example: "HDP-2061: the data processor answered 409 at GET https://…/tasks, which has no meaning here.",
  },
  "HDP-2062": {
    title: "The service redirects",
    ends: "service",
    meaning:
      "The service answered 3xx. A redirect is not followed: the key would go to an address that nobody configured.",
    remedy: "When you trust the new address, configure it. Often `http://` has to become `https://`.",
    example: "HDP-2062: the data processor redirects POST http://…/tasks (301) to https://…/tasks.",
  },
  "HDP-2063": {
    title: "No connection",
    ends: "service",
    meaning:
      "No connection to the service was made: it was refused, the host name is unknown, or the certificate is not accepted. Nothing was sent.",
    remedy: "Check the configured address and the way to it (proxy, VPN, firewall).",
    example:
      "HDP-2063: no connection to the data processor for POST http://127.0.0.1:1/tasks (connect ECONNREFUSED 127.0.0.1:1).",
  },
  "HDP-2064": {
    title: "The connection broke",
    ends: "service",
    meaning: "The connection ended before the answer was complete; a read was repeated before this was reported.",
    remedy: "Call again later.",
    example:
      "HDP-2064: the connection to the data processor broke during GET https://…/tasks (UND_ERR_SOCKET, other side closed).",
  },
  "HDP-2070": {
    title: "The answer is not JSON",
    ends: "service",
    meaning:
      "The service answered with success and a body that is no JSON: a web page, a text, or a part of a document. Its beginning is quoted.",
    remedy: "Check that the configured address belongs to this service and not to a page or a proxy in front of it.",
    example:
      "HDP-2070: the answer of the data processor to GET https://…/tasks is not JSON (text/html, 5120 characters).",
  },
  "HDP-2071": {
    title: "The answer has another shape",
    ends: "service",
    meaning:
      "The answer is JSON, but a part that is needed is missing or of another type. Unknown parts are never an error.",
    remedy: "Check that the configured edition is the one this service speaks.",
    example: "HDP-2071: the answer of the data processor to POST https://…/tasks has another shape: uuid: Required.",
  },
  "HDP-2072": {
    title: "The answer is too large",
    ends: "service",
    meaning: "The body exceeds the limit of the client (16 MiB). The rest was not read.",
    remedy: "Raise `maxReplyBytes` if such an answer is expected.",
    example:
      "HDP-2072: the answer of the data processor to GET https://…/tasks is too large: more than 16777216 bytes.",
  },
  "HDP-2073": {
    title: "The other side does not speak HTTP",
    ends: "service",
    meaning: "Something accepts connections at the configured address and answers with other than HTTP.",
    remedy: "Check scheme (http or https), host and port.",
    example: "HDP-2073: what answers at GET http://127.0.0.1:22/tasks does not speak HTTP.",
  },
  "HDP-2080": {
    title: "No answer in time",
    ends: "service",
    meaning:
      "One attempt took longer than `timeouts.attemptMs`, or the call with its repetitions longer than `timeouts.totalMs`.",
    remedy: "Call again later, or allow more time.",
    example: "HDP-2080: the data processor gave no answer in 30000 ms at GET https://…/tasks/01J…/status.",
  },
  "HDP-2081": {
    title: "The wait reached its time limit",
    ends: "not finalized",
    meaning: "The task or request was not final when the wait's limit passed. It goes on without being watched.",
    remedy:
      "Come back with the command that the message names. The last state that was seen is in the message; a failure of the last look is the error's `cause`.",
    example:
      "HDP-2081: waiting for submission 01J… ended after its limit of 3600 s; its last state was TraceGenStarted.",
  },
  "HDP-2082": {
    title: "The call was aborted",
    ends: "service",
    meaning: "The caller's AbortSignal fired before the call was sent, or during a read.",
    remedy: "Nothing: it was asked for.",
    example: "HDP-2082: GET https://…/tasks/01J…/status was aborted by the caller.",
  },
  "HDP-2083": {
    title: "The last look was not answered",
    ends: "not finalized",
    meaning: "A wait reached its time limit while its last call was still open. It appears as the `cause` of HDP-2081.",
    remedy: "As for HDP-2081.",
    example: "HDP-2083: the last look at submission 01J… was not answered before the wait's limit.",
  },
  "HDP-2084": {
    title: "The wait was stopped",
    ends: "not finalized",
    meaning: "The caller's AbortSignal fired during a wait. The task goes on without being watched.",
    remedy: "Come back with the command that the message names.",
    example: "HDP-2084: waiting for submission 01J… was stopped by the caller.",
  },
  "HDP-2090": {
    title: "Nobody knows whether the request was accepted",
    ends: "unknown outcome",
    meaning:
      "A request that may cost money was sent, and its answer is missing, a failure of the service, or unreadable. It is never sent again by itself. `cause` is what went wrong.",
    remedy: "Do what the last line of the message says first: look whether it was accepted. Only then send it again.",
    example:
      "HDP-2090: it is unknown whether the data processor accepted POST https://…/tasks: the connection to the data processor broke during POST https://…/tasks (ECONNRESET).",
  },
  "HDP-2091": {
    title: "The task failed",
    ends: "service",
    meaning:
      "The data processor worked on the submission and reports failure, in its own words where it gives any. No result will be stored.",
    remedy: "Correct the cause and submit again, or retry the task where the edition offers it.",
    example: "HDP-2091: submission 01J… failed in state DryRunFailed.",
  },
  "HDP-2092": {
    title: "The storage proof request failed",
    ends: "service",
    meaning: "All queries of the request are terminal and at least one of them failed.",
    remedy: "The actions of the failed query show what was done: `npx hardhat hdp proof actions <query id>`.",
    example: "HDP-2092: storage proof request 01J… failed: 1 of its 2 queries did.",
  },
} as const satisfies Readonly<Record<`HDP-2${number}`, CatalogueEntry | ErrorTemplate>>;

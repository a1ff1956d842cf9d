import type { ErrorTemplate } from "./catalogue-entry.js";

/** The errors of the configuration and of the services. */
export const SERVICE_ERRORS = {
  "HDP-2001": {
    title: "No data processor is configured for the network",
    message: 'no data processor is configured for network "{network}".',
    hints: [
      'Set it in hardhat.config.ts: { url: "https://…", apiKey: configVariable("HDP_API_KEY") },',
      'or "local" to compute in this process and finalize with an account of the network.',
    ],
    description: "See [local or a service](../configuration.md#local-or-a-service).",
  },
  "HDP-2003": {
    title: "An address or API key can't be read",
    message: "there is no {what} for {service}{reason}.",
    hints: [
      "It is the configuration variable {variable}, which is not set or can't be read. Nothing was sent.",
      "Log in by wallet, which keeps it: {login}",
      "Set the environment variable {variable}.",
      "Or keep it encrypted: npx hardhat keystore set {keystore}",
    ],
    description:
      "The error's `cause` says why it could not be read. Calls that need no key are sent without one.",
  },
  "HDP-2004": {
    title: "The interface or node is not configured",
    message: "there is no {what} configured{where}.",
    hints: ["Set it in hardhat.config.ts: {example}", "Nothing was sent."],
    description:
      "See [configuration](../configuration.md#fields). The program registry has two addresses.",
  },
  "HDP-2006": {
    title: "The data processor has no list of module tasks",
    message:
      'this needs a data processor with API version "module-tasks"; network "{network}" has {found}.',
    hints: ['Set edition: "module-tasks" with the address of such a service. Nothing was sent.'],
    description: "`hdp status` works in every API version.",
  },
  "HDP-2010": {
    title: "An address or API key cannot be used",
    message: "the {what} {service} cannot be used: {reason}.",
    hints: ["{allowed} Nothing was sent."],
    description: "It is not repeated, as it may hold a secret.",
  },
  "HDP-2011": {
    title: "A node answers at the address of a service",
    message: "a node of a chain answers at {endpoint}, where {service} should be: in JSON-RPC.",
    hints: [
      "Set the address of the service there, and that of the node as a network's url. A node takes no task: nothing was submitted.",
    ],
  },
  "HDP-2020": {
    title: "API version module-tasks cannot carry the request",
    message: 'API version "module-tasks" carries {allowed}; this request has {found}.',
    hints: [
      '{remedy}, set hdp.dataProcessor.edition to "tasks", or run locally. Nothing was sent.',
    ],
  },
  "HDP-2021": {
    title: "The API version does not carry the task",
    message: 'API version "{edition}" does not carry {what}.',
    hints: [
      'Send it to a service with edition: "module-tasks", or compute it locally. Nothing was sent.',
    ],
    description:
      "The specification's body of a module task is a program hash and its inputs. See [what works where](../service.md#what-works-where).",
  },
  "HDP-2022": {
    title: "The service refused the request as invalid",
    message: "{service} refused the request as invalid ({status}) at {endpoint}.",
    hints: ["Nothing was accepted. Correct the request{version}."],
    description: "If the service's words make no sense, it speaks another version.",
  },
  "HDP-2023": {
    title: "The compiled class of a program is not known or not complete",
    message: "program {hash} cannot be sent: {reason}.",
    hints: [
      'Name its class in the task: "module": { "class": "path", "arguments": { … } }, in place of programHash.',
      'Or configure it: hdp.local.programs: ["path of a class or of a folder"].',
      "A client without Hardhat: moduleTasksEdition({ compiledClass }). Nothing was sent.",
    ],
    description:
      "API version `module-tasks` sends the compiled class with its task: the published prover parses a whole one, and no published page says that a hash alone is enough.",
  },
  "HDP-2024": {
    title: "The storage proof request is invalid",
    message: "the storage proof request cannot be made: {reason}.",
    hints: [
      "It names header fields, or accounts with slots or props, per block. Nothing was sent.",
    ],
    description: "For fields that the builder does not know, give `submitRequest` the JSON itself.",
  },
  "HDP-2025": {
    title: "Not an id",
    message: '"{id}" is not an id.',
    hints: ["Give the id as the service returned it. Nothing was sent."],
  },
  "HDP-2027": {
    title: "The destination's satellite takes no results of tasks",
    message: "no results of tasks are stored on {destination}: {reason}.",
    hints: ["Choose one of {allowed}. Nothing was sent."],
    description:
      "By the published deployments and module lists of the satellites, read on 2026-02-16. A result is paid for when it is proven, and could not be read there.",
  },
  "HDP-2028": {
    title: "The state server sent no proof",
    message: "the state server sent no proof of the key {key} under the root {root}.",
    hints: ["It has to answer POST /get_state_proofs with one proof for each action."],
    description: "Use the data processor's state server, or that of the dev server.",
  },
  "HDP-2029": {
    title: "The service speaks another API version",
    message:
      "{endpoint} refused the request ({status}) as a service of API version {found} does, and {configured} is configured. Nothing was accepted.",
    hints: [
      "Change the line of the data processor in hardhat.config.ts: {line}",
      "node_modules/hardhat-hdp/docs/service.md says which version is published where; a hosted service by name brings its own.",
    ],
    description:
      "Known by the members of the body, the path or the header of the key that the refusal names. A bare address has the version of the specification, `tasks`.",
  },
  "HDP-2030": {
    title: "The service refused the key",
    ends: "service",
    message: "{service} refused the key of this call, or asks for one ({status}) at {endpoint}.",
    hints: [
      "The key was {sent}: check that it is the key of this service and has not expired.",
      "No key was sent, as this call usually needs none{nokey}.",
      "It is {holder}.",
      "Log in by wallet for a new one: {login}",
      "The cloud console of the service creates keys, and shows what a key's project may do.",
    ],
    description: "Each interface may have a key of its own.",
  },
  "HDP-2032": {
    title: "The service asks for payment",
    ends: "service",
    message: "{service} asks for payment before it takes this call (402) at {endpoint}.",
    hints: [
      "Check the credit, the plan and the means of payment of the key's project in the cloud console.",
    ],
    description:
      "A submission may have been accepted all the same: check the list of submissions first.",
  },
  "HDP-2040": {
    title: "The service knows nothing at the address",
    ends: "service",
    message: "{service} answers that there is nothing at {endpoint} ({status}).",
    hints: [
      "Check the id, and that the configured address{setting} and API version belong to this service.",
    ],
  },
  "HDP-2041": {
    title: "The program is unknown to the registry",
    ends: "service",
    message: "the program registry knows no program {hash}.",
    hints: ["Check the hash, or upload the compiled class: npx hardhat hdp:program:upload <file>"],
  },
  "HDP-2042": {
    title: "The module is unknown to the registry",
    ends: "service",
    message: "the module registry has no module {id}.",
    hints: ["List those that it has: {list}"],
  },
  "HDP-2043": {
    title: "The registry of 2024 has no counterpart",
    message:
      'network "{network}" has a data processor of API version "module-tasks", whose module registry does not look programs up by hash.',
    hints: [
      "List its modules with their hashes: {list}",
      "npx hardhat hdp program show asks the registry of API versions tasks and batch.",
    ],
    description:
      "The endpoint `GET /get-metadata` belongs to the program registry of 2024. Modules are found by their id or name.",
  },
  "HDP-2044": {
    title: "A module without a name or a version",
    message: "the module's {what} is not known: {reason}.",
    hints: ["Name it: {option}."],
  },
  "HDP-2045": {
    title: "Nothing brings a chain's blocks to the destination",
    message:
      "no published connection from {source} to {destination}, and the indexer knows no accumulator of it there: nothing could be proven.",
    hints: [
      "Choose another destination, or read another chain.",
      "src/request/satellites.ts says which connections are published. Nothing was sent.",
    ],
    description:
      "A service can prove a header only if its block is in an accumulator of the destination's satellite. The indexer (`dataProcessor.indexerUrl`) says which blocks are.",
  },
  "HDP-2050": {
    title: "Too many calls",
    ends: "service",
    message: "{service} limits the rate of calls (429) at {endpoint}.",
    hints: ["It asks to wait {pause} s before the next call."],
    description:
      "It answered 429 after retries too. `retryAfter` of the error has the pause in milliseconds.",
  },
  "HDP-2060": {
    title: "The service failed",
    ends: "service",
    message: "{service} failed with an error of its own ({status}) at {endpoint}.",
    hints: ["The fault is on the service's side; call again later."],
    description: "Reads were repeated before. If it lasts, show the service's operator its words.",
  },
  "HDP-2061": {
    title: "The service answered an unexpected status",
    ends: "service",
    message: "{service} answered {status} at {endpoint}, which has no meaning here.",
    hints: ["Check that the configured address{setting} and API version belong to this service."],
  },
  "HDP-2062": {
    title: "The service redirects",
    ends: "service",
    message: "{service} redirects the call {endpoint} ({status}){target}, which is not followed.",
    hints: ["The key would go along. Configure the new address if you trust it."],
    description: "Often `http://` has to become `https://`.",
  },
  "HDP-2063": {
    title: "No connection",
    ends: "service",
    message: "no connection to {service} for {endpoint} ({reason}).",
    hints: [
      "Nothing was sent. Check the configured address, and that the service can be reached from here.",
    ],
    description:
      "The host is unknown or refuses, or its certificate is not accepted. Check proxy, VPN and firewall.",
  },
  "HDP-2064": {
    title: "The connection broke",
    ends: "service",
    message: "the connection to {service} broke during {endpoint} ({reason}).",
    hints: ["No complete answer arrived; call again later."],
  },
  "HDP-2070": {
    title: "The answer cannot be used",
    ends: "service",
    message: "the answer of {service} to {endpoint} cannot be used: {reason}.",
    hints: ["Check that the configured address{setting} and API version belong to this service."],
    description:
      "Check scheme, host and port, and that no proxy answers. `maxReplyBytes` of a client (16 MiB) bounds answers.",
  },
  "HDP-2080": {
    title: "No answer in time",
    ends: "service",
    message: "{service} gave no answer in {reason} at {endpoint}.",
    hints: ["Call again later, or allow more time with {limit}."],
    description:
      "A client's `timeout` and `attemptTimeout`; in a project, both follow `hdp.timeouts.request`.",
  },
  "HDP-2081": {
    title: "The wait reached its timeout",
    ends: "not finalized",
    message: "waiting for {what} ended after {timeout} s: {last}.",
    hints: ["It goes on without being watched."],
  },
  "HDP-2082": {
    title: "The call or the wait was stopped",
    ends: "not finalized",
    message: "{what} was stopped by the caller.",
    hints: ["Nothing more is sent."],
  },
  "HDP-2090": {
    title: "It is unknown whether the request was accepted",
    ends: "unknown outcome",
    message: "it is unknown whether {service} accepted {endpoint}: {reason}",
    hints: ["It was not sent again, as it may cost money twice."],
    description: "`cause` has the details. Check whether it was accepted before you send it again.",
  },
  "HDP-2091": {
    title: "The task failed",
    ends: "service",
    message: "{what} failed at the service: {reason}.",
    hints: [
      "No result will be stored for {tasks}. Correct the cause and submit them again, or retry the task.",
    ],
    description:
      "The reason is the data processor's. `hdp explain` or `hdp module run` computes the task here, to find the cause.",
  },
  "HDP-2100": {
    title: "The login's challenge is not signed",
    message: "the challenge of the service is not signed: {reason}.",
    hints: [
      "Nothing was signed. A login is one struct in a domain that names the service, with this account, a sentence and a nonce, and nothing that a contract, an exchange or another service could act on.",
      "Compare the service's page on authentication, or log in on its console and store the key: npx hardhat keystore set {variable}",
    ],
    description:
      "The members of the typed data are not published and may change: whatever is not known to be harmless is refused. A hosted service under herodotus.cloud has to name herodotus in the EIP-712 domain, any other service its host; the login is asked over https, unless it is on this machine.",
  },
  "HDP-2101": {
    title: "The project has no API key",
    message: "the wallet's project {project} has no API key.",
    hints: ["Create one in the console of the service. Nothing was stored."],
  },
  "HDP-2102": {
    title: "The account did not sign the login",
    message: "the account {wallet} did not sign the login: {reason}.",
    hints: [
      "Nothing was stored. Let an account of hardhat.config.ts sign: a private key, the keystore, a Ledger.",
    ],
  },
} as const satisfies Readonly<Record<`HDP-2${number}`, ErrorTemplate>>;

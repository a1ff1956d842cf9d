import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";

import { expect } from "chai";

import {
  headerTask,
  KEY,
  post,
  raw,
  type RawReply,
  served,
  silentNode,
  testServer,
} from "./fixture.js";
import { type Eip1193Provider, startDevServer } from "../../src/entries/local.js";
import { taskHash } from "../../src/entries/request.js";
import { processorTime } from "../support/processor-time.js";
import { SMALL_CLASS } from "./small-class.js";

const MIB = 2 ** 20;

/** A body of about `bytes` that repeats `item` in a list. */
function filled(head: string, item: string, tail: string, bytes: number): string {
  return (
    head +
    `${item},`
      .repeat(Math.floor((bytes - head.length - tail.length) / (item.length + 1)))
      .slice(0, -1) +
    tail
  );
}

const classOf = (felts: number, digits = 62): string =>
  JSON.stringify({
    ...SMALL_CLASS,
    bytecode: Array.from({ length: felts }, () => `0x${"7".repeat(digits)}`),
    bytecode_segment_lengths: felts,
  });

const moduleBody = (inputs: string): string =>
  `{"destinationChainId":"ETHEREUM_SEPOLIA","tasks":[{"type":"Module","programHash":"0x1","inputs":${inputs}}]}`;

describe("development server: limits", () => {
  const shared = served();

  const code = (reply: RawReply): unknown => [
    reply.status,
    (reply.json() as { code?: unknown }).code,
  ];

  const hostile: readonly (readonly [string, () => string, number, string])[] = [
    [
      "1.9 million bad tasks in 32 MB",
      () => filled('{"tasks":[', "0,0,0,0,0,0,0,0", "]}", 32 * MIB),
      413,
      "HDP-4529",
    ],
    [
      "a fake class beside them",
      () => filled('{"compiled_class":{},"tasks":[', "0,0,0,0,0,0,0,0", "]}", 15 * MIB),
      413,
      "HDP-4529",
    ],
    ["bad tasks in 1 MiB", () => filled('{"tasks":[', "0", "]}", MIB - 10), 413, "HDP-4529"],
    [
      "1,001 tasks",
      () => JSON.stringify({ ...headerTask(1), tasks: Array.from({ length: 1_001 }, () => 0) }),
      413,
      "HDP-4529",
    ],
    ["a number of 4 MB", () => moduleBody("7".repeat(4 * MIB)), 413, "HDP-4529"],
    ["a number of 1 MiB", () => moduleBody("7".repeat(MIB - 200)), 400, "HDP-1103"],
    ["a number of 1 MiB as text", () => moduleBody(`"${"7".repeat(MIB - 200)}"`), 400, "HDP-1103"],
    [
      "hexadecimal of 1 MiB",
      () => moduleBody(`[{"visibility":"public","value":"0x${"f".repeat(MIB - 300)}"}]`),
      400,
      "HDP-1118",
    ],
    [
      "a range end of 1 MiB of hexadecimal",
      () => JSON.stringify(headerTask(1)).replace(":1,", `:"0x${"f".repeat(MIB - 400)}",`),
      400,
      "HDP-1112",
    ],
    [
      "lists inside each other",
      () => `{"tasks":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
      413,
      "HDP-4529",
    ],
    ["many wrong inputs", () => moduleBody(filled("[", "0", "]", 2 * 19_900)), 400, "HDP-1100"],
    [
      "many unknown keys",
      () =>
        JSON.stringify(headerTask(1)).replace(
          '"blockRangeStart"',
          `${Array.from({ length: 14_000 }, (_, at) => `"blockRangeStar${at}":0,`).join("")}"blockRangeStart"`,
        ),
      400,
      "HDP-1100",
    ],
    [
      "one unknown key of 1 MiB",
      () =>
        JSON.stringify(headerTask(1)).replace(
          '"blockRangeStart"',
          `"${"k".repeat(MIB - 500)}":0,"blockRangeStart"`,
        ),
      400,
      "HDP-1102",
    ],
    [
      "a thousand bad tasks",
      () =>
        JSON.stringify({
          destinationChainId: "ETHEREUM_SEPOLIA",
          tasks: Array.from({ length: 1_000 }, () => ({
            type: "DatalakeCompute",
            datalake: { type: "BlockSampled" },
            compute: {},
          })),
        }),
      400,
      "HDP-1100",
    ],
    [
      "no JSON at all",
      () =>
        "["
          .repeat(60)
          .repeat(1)
          .padEnd(MIB - 100, " "),
      400,
      "HDP-4517",
    ],
    ["broken JSON at its end", () => filled('{"tasks":["', "\\n", '"', 30_000), 400, "HDP-4517"],
  ];

  for (const [name, make, status, expected] of hostile) {
    it(`answers ${name} in time`, async () => {
      const body = make();
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const started = performance.now();
      const cost = processorTime();
      const reply = await post(`${shared.server.url}/tasks`, body).catch(() => undefined);
      const took = performance.now() - started;
      delay.disable();
      if (process.env["HDP_FIGURES"] !== undefined) {
        console.log(
          `      ${name}: ${Math.round(took)} ms, loop blocked ${Math.round(delay.max / 1e6)} ms at most`,
        );
      }
      // A client that goes on sending may see the connection end before it reads the answer.
      if (reply !== undefined) {
        expect(code(reply)).to.deep.equal([status, expected]);
        expect(reply.text.length).to.be.lessThan(3 * MIB);
      } else {
        expect(body.length, "only a body beyond the limit").to.be.greaterThan(MIB);
      }
      // The client of this test works in the same process.
      expect(cost()).to.be.lessThan(4_000);
      expect((await raw(`${shared.server.url}/is-alive`)).status).to.equal(200);
    });
  }

  it("lists a hundred errors and counts the rest", async () => {
    const reply = await post(`${shared.server.url}/tasks`, {
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: Array.from({ length: 300 }, () => ({ type: "Mars" })),
    });
    const { error, errors, hints } = reply.json() as {
      error: string;
      errors: unknown[];
      hints: string[];
    };
    expect([reply.status, error, errors.length, hints.length]).to.deep.equal([
      400,
      "there are 300 errors to correct.",
      100,
      201,
    ]);
    expect(hints.at(-1)).to.equal("… and 200 more.");
  });

  it("takes nesting of 1,000 levels, and no more", async () => {
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;
    const order = async (body: unknown) =>
      (await post(`${shared.server.url}/grow-orders`, body)).status;
    expect(await order(nested(1_000))).to.equal(200);
    expect(await order(nested(1_001))).to.equal(400);
    // What is quoted counts neither as structure nor as an end of the text.
    expect(await order({ text: `${"[{".repeat(100)}\\"${"]".repeat(3)}` })).to.equal(200);
  });

  it("takes 1,000 tasks", async () => {
    const [task] = headerTask(0)["tasks"] as unknown[];
    const reply = await post(`${shared.server.url}/tasks`, {
      ...headerTask(0),
      tasks: Array.from({ length: 1_000 }, () => task),
    });
    expect([
      reply.status,
      (reply.json() as { taskHashes: unknown[] }).taskHashes.length,
    ]).to.deep.equal([200, 1_000]);
  });

  it("takes a class as large as that of proven calls", async () => {
    const form = new FormData();
    form.append("programFile", new Blob([classOf(350_000, 8)]), "x.json");
    const upload = await raw(`${shared.server.url}/submit-program?apiKey=${KEY}`, {
      method: "POST",
      body: form,
    });
    expect(upload.text).to.match(/^0x[0-9a-f]{60,64}$/);
  });

  it("reads the largest class of Starknet in less than a second", async () => {
    const form = new FormData();
    form.append("programFile", new Blob([classOf(81_920)]), "x.json");
    const cost = processorTime();
    const upload = await raw(`${shared.server.url}/submit-program?apiKey=${KEY}`, {
      method: "POST",
      body: form,
    });
    expect(upload.text).to.match(/^0x[0-9a-f]{60,64}$/);
    expect(cost()).to.be.lessThan(1_500);
  });

  it("takes a module task with its class in a body of more than 1 MiB, and refuses a class of too many values", async () => {
    const body = (compiled: string): string =>
      `{"destination_chain_id":"0xaa36a7","program_hash":"0x1","input":{"params":[],"compiled_class":${compiled}}}`;
    const large = await post(`${shared.server.url}/tasks`, body(classOf(18_000)));
    // The hash that is named is not the class's: it was read and hashed.
    expect(code(large)).to.deep.equal([400, "HDP-4518"]);
    expect(code(await post(`${shared.server.url}/tasks`, body(classOf(500_001, 1))))).to.deep.equal(
      [400, "HDP-7001"],
    );
    expect(code(await post(`${shared.server.url}/tasks`, body('{"prime":0}')))).to.deep.equal([
      400,
      "HDP-7001",
    ]);
  });

  it("lets long bodies wait while as many as allowed arrive, and short ones not", async () => {
    const small = await testServer(shared.chain, { limits: { atOnce: 1 }, bodyTimeout: 5_000 });
    try {
      const { port } = new URL(small.url);
      const slow = connect(Number(port), "127.0.0.1");
      slow.write(
        `POST /tasks HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEY}\r\ncontent-length: 70000\r\n\r\n{`,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      let isAnswered = false;
      const long = `${" \n".repeat(35_000)}${JSON.stringify(headerTask(1))}`;
      const waiting = post(`${small.url}/tasks`, long).finally(() => (isAnswered = true));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(isAnswered).to.equal(false);
      // What has no body, or a short one, does not wait.
      expect((await post(`${small.url}/grow-orders`, {})).status).to.equal(200);
      expect((await raw(`${small.url}/is-alive`)).status).to.equal(200);
      slow.destroy();
      expect((await waiting).status).to.equal(200);
    } finally {
      await small.close();
    }
  });

  it("refuses long bodies with a class that are not JSON, nested deeply or full of names", async () => {
    const sent = async (json: string): Promise<unknown> =>
      code(
        await post(
          `${shared.server.url}/tasks`,
          `{"input":{"compiled_class":{"a":"${"x".repeat(MIB)}",${json}}}}`,
        ),
      );
    expect(await sent('"b":')).to.deep.equal([400, "HDP-4517"]);
    expect(await sent(`"b":${"[".repeat(100_000)}${"]".repeat(100_000)}`)).to.deep.equal([
      400,
      "HDP-4517",
    ]);
    const names = Array.from({ length: 200_000 }, (_, at) => `"n${at}":0`);
    expect(await sent(names.join(","))).to.deep.equal([413, "HDP-4529"]);
    expect(await sent('"b":0')).to.deep.equal([400, "HDP-7001"]);
  });

  it("refuses further long replies while clients do not read 32 MiB of others, and sends short ones", async () => {
    const { url } = shared.server;
    const form = new FormData();
    const program = JSON.stringify({ ...SMALL_CLASS, x: "x".repeat(12 * MIB) });
    form.append("programFile", new Blob([program]), "x.json");
    const hash = await (
      await fetch(`${url}/submit-program?apiKey=${KEY}`, { method: "POST", body: form })
    ).text();
    const path = `/get-program?program_hash=${hash}`;
    const silent: Socket[] = [];
    // Each reply has begun before the next client comes: those to three exceed 32 MiB.
    for (let client = 0; client < 3; client += 1) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      silent.push(socket);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      await once(socket, "data");
      socket.pause();
    }
    expect(code(await raw(url + path))).to.deep.equal([429, "HDP-4531"]);
    expect((await raw(`${url}/get-metadata?program_hash=${hash}`)).status).to.equal(200);
    for (const socket of silent) socket.destroy();
    const untilServed = async (): Promise<RawReply> => {
      const reply = await raw(url + path);
      return reply.status === 200 ? reply : await untilServed();
    };
    expect((await untilServed()).text).to.equal(program);
  });

  it("refuses a storage proof request of more than 1,000 queries, and proves few at once", async () => {
    const body = (count: number): object => ({
      destination_chain_id: "SN_SEPOLIA",
      data: {
        "1": Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`block:${at}`, { header: ["NONCE"] }]),
        ),
      },
    });
    let [asked, open] = [0, 0];
    const silent = silentNode();
    const request: Eip1193Provider["request"] = async (call) => {
      asked += 1;
      open = Math.max(open, asked);
      return await silent.request(call);
    };
    const waiting = await testServer({ ...shared.chain, provider: { request } });
    try {
      const cost = processorTime();
      expect(code(await post(`${waiting.url}/submit-request`, body(1_001)))).to.deep.equal([
        413,
        "HDP-4529",
      ]);
      expect(code(await post(`${waiting.url}/submit-request`, body(18_960)))).to.deep.equal([
        413,
        "HDP-4529",
      ]);
      expect((await post(`${waiting.url}/submit-request`, body(1_000))).status).to.equal(200);
      expect((await raw(`${waiting.url}/is-alive`)).status).to.equal(200);
      expect(open).to.equal(8);
      expect(cost()).to.be.lessThan(2_000);
    } finally {
      await waiting.close();
      silent.end();
    }
  });

  it("makes and proves tries in time, whatever prefixes their keys share, and refuses long proofs", async () => {
    const keys = Array.from({ length: 1_300 }, (_, at) => {
      const high = 1n << BigInt(at % 250);
      return `0x${(high | (BigInt(at) % high)).toString(16)}`;
    });
    const cost = processorTime();
    const made = await post(`${shared.server.url}/create_trie`, {
      trie_label: "0x1",
      keys,
      values: keys.map(() => "0x1"),
    });
    const { trie_root } = made.json() as { trie_root: string };
    const read = (key: string | undefined): object => ({
      Read: { trie_label: "0x1", trie_root, key },
    });
    const some = await post(`${shared.server.url}/get_state_proofs`, {
      actions: keys.slice(0, 20).map(read),
    });
    expect(some.status).to.equal(200);
    const all = await post(`${shared.server.url}/get_state_proofs`, {
      actions: [...keys, ...keys, ...keys].map(read),
    });
    expect(code(all)).to.deep.equal([413, "HDP-4529"]);
    expect(cost()).to.be.lessThan(3_000);
  });

  it("lists tasks without reading their requests", async () => {
    const many = await startDevServer({
      processor: {
        submit: (request) =>
          Promise.resolve({
            id: "one",
            processor: "local",
            destinationChainId: request.destinationChainId,
            taskHashes: request.tasks.map((task) => taskHash(task)),
          }),
        wait: () => Promise.resolve({ name: "Finalized", phase: "finalized" }),
        results: () => Promise.resolve([]),
      },
      providerFor: () => shared.chain.provider,
    });
    try {
      const [task] = headerTask(1)["tasks"] as unknown[];
      for (let request = 0; request < 5; request += 1) {
        const body = { ...headerTask(1), tasks: Array.from({ length: 1_000 }, () => task) };
        expect((await post(`${many.url}/tasks`, body)).status).to.equal(200);
      }
      const cost = processorTime();
      for (let list = 0; list < 20; list += 1) {
        const { tasks: listed } = (
          await raw(`${many.url}/tasks`, { headers: { "X-API-KEY": KEY } })
        ).json() as {
          tasks: { status: string }[];
        };
        expect(listed.map(({ status }) => status)).to.deep.equal(
          Array(5).fill("TaskDecommitmentCompleted"),
        );
      }
      expect(cost()).to.be.lessThan(500);
    } finally {
      await many.close();
    }
  });

  it("refuses grow orders of more than 16 KiB", async () => {
    expect(
      code(await post(`${shared.server.url}/grow-orders`, { text: "x".repeat(20_000) })),
    ).to.deep.equal([413, "HDP-4529"]);
  });

  it("refuses forms of many parts, and of parts with long heads", async () => {
    const send = async (body: string): Promise<unknown> =>
      code(
        await raw(`${shared.server.url}/submit-program?apiKey=${KEY}`, {
          method: "POST",
          body,
          headers: { "content-type": "multipart/form-data; boundary=x" },
        }),
      );
    const part = "--x\r\ncontent-disposition: form-data; name=a\r\n\r\n1\r\n";
    const taken = processorTime();
    expect(await send(`${part.repeat(250_000)}--x--`)).to.deep.equal([413, "HDP-4529"]);
    expect(await send(`--x\r\n${"a: b\r\n".repeat(2_000_000)}\r\n1\r\n--x--`)).to.deep.equal([
      413,
      "HDP-4529",
    ]);
    expect(taken()).to.be.lessThan(1_500);
    // Sixteen are read, none of which is the program.
    expect(await send(`${part.repeat(16)}--x--`)).to.deep.equal([400, "HDP-4517"]);
    expect(await send(`${part.repeat(17)}--x--`)).to.deep.equal([413, "HDP-4529"]);
  });

  /** How many good answers begin to arrive until the connection ends, or `most`. */
  async function answersOf(socket: Socket, most = 400): Promise<number> {
    const mark = "HTTP/1.1 200";
    let count = 0;
    let rest = "";
    const read = (piece: Buffer): void => {
      const pieces = (rest + piece.toString("latin1")).split(mark);
      count += pieces.length - 1;
      rest = pieces.at(-1)?.slice(1 - mark.length) ?? "";
      if (count >= most) socket.destroy();
    };
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.on("data", read).resume();
    await ended;
    return count;
  }

  it("does nothing that was asked after the request with which it ends the connection", async () => {
    const lines: string[] = [];
    const watched = await testServer(shared.chain, {
      onRequest: ({ path, status }) => lines.push(`${path} ${status}`),
    });
    const socket = connect(Number(new URL(watched.url).port), "127.0.0.1");
    try {
      socket.write(
        "GET /is-alive HTTP/1.1\r\nhost: localhost\r\n\r\n" +
          `POST /grow-orders HTTP/1.1\r\nhost: localhost\r\napi-key: ${KEY}\r\ncontent-length: 2000000\r\n\r\n` +
          "x".repeat(2_000_000) +
          "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n",
      );
      socket.on("error", () => undefined);
      expect(await answersOf(socket, 100)).to.equal(1);
      expect(lines).to.have.members(["/is-alive 200", "/grow-orders 413"]);
    } finally {
      socket.destroy();
      await watched.close();
    }
  });

  it("answers a few requests of a client that closes its side after them", async () => {
    const socket = connect({
      port: Number(new URL(shared.server.url).port),
      host: "127.0.0.1",
      allowHalfOpen: true,
    });
    socket.end("GET /is-alive HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(3));
    const ended = new Promise((resolve) => socket.once("end", () => resolve(socket.destroy())));
    let text = "";
    socket.on("data", (piece) => (text += String(piece)));
    await ended;
    expect(text.split("HTTP/1.1 200")).to.have.length(4);
  });

  it("answers all requests that a connection sends ahead", async () => {
    const socket = connect(Number(new URL(shared.server.url).port), "127.0.0.1");
    try {
      socket.write("GET /is-alive HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(100));
      let text = "";
      for await (const piece of socket) {
        text += String(piece);
        if (text.split("HTTP/1.1 200").length === 101) break;
      }
      expect(text.split("HTTP/1.1 200")).to.have.length(101);
    } finally {
      socket.destroy();
    }
  });

  it("closes connections beyond their maximum", async () => {
    const small = await testServer(shared.chain, { limits: { connections: 2 } });
    const sockets = Array.from({ length: 2 }, () =>
      connect(Number(new URL(small.url).port), "127.0.0.1"),
    );
    try {
      await new Promise((resolve) => setTimeout(resolve, 50));
      let failure: unknown;
      await raw(`${small.url}/is-alive`).catch((error: unknown) => (failure = error));
      expect(failure).to.be.instanceOf(TypeError);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await raw(`${small.url}/is-alive`)).status).to.equal(200);
    } finally {
      await small.close();
    }
  });
});

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What Node keeps of a request and its answer, roughly, while it waits. */
const REQUEST_BYTES = 4_096;
/** Requests that a connection asks ahead before nothing more is read of it. */
const ASKED_AHEAD = 64;
/** Answers to what a connection asks ahead that are given at once where they are taken: a client may close its side then. */
const AT_ONCE = 8;
/** Requests that are read in a turn of the event loop before the connections that are not read yet wait for the next. */
const TURN_REQUESTS = 1_000;

interface Asked {
  /** Of the requests that wait, and of the answer that is not taken yet. */
  bytes: number;
  readonly waiting: (() => void)[];
  /** Since nothing waited. */
  taken: number;
}

/**
 * Has the requests of a connection answered one after the other, each when the answer before it was taken, in turns of the
 * event loop: what is asked ahead by one costs the others no time, and of what is not read one answer is in memory.
 * Of many connections a thousand requests are read in a turn.
 */
export class Turns {
  readonly #most: number;
  /** The connection that has taken nothing for longest comes first. */
  readonly #asked = new Map<Socket, Asked>();
  readonly #open = new Set<Socket>();
  #bytes = 0;
  #read = 0;
  /** Connections that are read again in the next turn. */
  #held: Set<Socket> | undefined;

  public constructor(most: number) {
    this.#most = most;
  }

  /** To be told of every connection. */
  public open(socket: Socket): void {
    this.#open.add(socket);
    socket.on("resume", () => {
      this.#resumed(socket);
    });
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#forget(socket);
    });
  }

  /** Calls `answer` when it is the request's turn, or never where the connection ends before. */
  public enter(socket: Socket, response: ServerResponse, answer: () => void): void {
    this.#countRead();
    // What a connection asked ahead when it was ended.
    if (!socket.writable) return;
    response.once("finish", () => {
      this.#taken(socket);
    });
    const own = this.#asked.get(socket);
    if (own === undefined) {
      this.#asked.set(socket, { bytes: 0, waiting: [], taken: 0 });
      answer();
      return;
    }
    own.waiting.push(answer);
    if (this.#isFarAhead(socket)) socket.pause();
    this.hold(socket, REQUEST_BYTES);
  }

  /** Counts bytes until they are taken. Where they are too much together, connections end; for a single answer none does. */
  public hold(socket: Socket, bytes: number): void {
    const own = this.#asked.get(socket);
    if (own === undefined) return;
    own.bytes += bytes;
    this.#bytes += bytes;
    for (const [oldest, { waiting }] of this.#asked) {
      if (this.#bytes <= this.#most || (this.#asked.size === 1 && waiting.length === 0)) return;
      this.#forget(oldest);
      oldest.destroy();
    }
  }

  #forget(socket: Socket): void {
    this.#bytes -= this.#asked.get(socket)?.bytes ?? 0;
    this.#asked.delete(socket);
  }

  #countRead(): void {
    this.#read += 1;
    if (this.#read === 1) {
      setImmediate(() => {
        this.#read = 0;
      });
    }
    if (this.#read !== TURN_REQUESTS) return;
    const held = new Set([...this.#open].filter((socket) => !socket.isPaused()));
    this.#held = held;
    for (const socket of held) socket.pause();
    setImmediate(() => {
      this.#held = undefined;
      for (const socket of held) socket.resume();
    });
  }

  /** Node reads on whenever an answer was taken, or a body may go on: not before its turn. */
  #resumed(socket: Socket): void {
    this.#held?.add(socket);
    if (this.#held !== undefined || this.#isFarAhead(socket)) socket.pause();
  }

  #isFarAhead(socket: Socket): boolean {
    return (this.#asked.get(socket)?.waiting.length ?? 0) >= ASKED_AHEAD;
  }

  #taken(socket: Socket): void {
    const own = this.#asked.get(socket);
    if (own === undefined) return;
    this.#forget(socket);
    const next = own.waiting.shift();
    if (next === undefined) return;
    own.bytes = own.waiting.length * REQUEST_BYTES;
    this.#bytes += own.bytes;
    this.#asked.set(socket, own);
    if (own.waiting.length === ASKED_AHEAD - 1) socket.resume();
    own.taken += 1;
    const answer = (): void => {
      if (socket.writable) next();
    };
    if (own.taken < AT_ONCE) answer();
    else setImmediate(answer);
  }
}

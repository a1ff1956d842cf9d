import type { IncomingMessage } from "node:http";

import { FrontProblem } from "./front-problem.js";

export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Reads a request's body to its end.
 *
 * @throws FrontProblem HDP-4515 (413) for a body that is too long, HDP-4516 (408) for one that takes too long,
 *   HDP-4517 (400) for one that ends early. What is left of it is not kept.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limits.maxBytes) throw tooLong(limits.maxBytes);
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => {
      finish(tooSlow(limits.timeoutMs));
    }, limits.timeoutMs);
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limits.maxBytes) finish(tooLong(limits.maxBytes));
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      finish(undefined);
    };
    const onCut = (): void => {
      finish(new FrontProblem({ code: "HDP-4517", status: 400, message: "the connection ended before the body did." }));
    };
    const finish = (problem: FrontProblem | undefined): void => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut);
      if (problem === undefined) {
        resolve(Buffer.concat(chunks));
      } else {
        // What still arrives is thrown away, so that the answer can be read before the connection is closed.
        request.on("error", () => undefined).resume();
        reject(problem);
      }
    };
    request.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
}

function tooLong(maxBytes: number): FrontProblem {
  return new FrontProblem({
    code: "HDP-4515",
    status: 413,
    message: `the body is longer than ${maxBytes.toLocaleString("en-US")} bytes.`,
    headers: { connection: "close" },
  });
}

function tooSlow(timeoutMs: number): FrontProblem {
  return new FrontProblem({
    code: "HDP-4516",
    status: 408,
    message: `the body did not arrive within ${(timeoutMs / 1000).toString()} s.`,
    headers: { connection: "close" },
  });
}

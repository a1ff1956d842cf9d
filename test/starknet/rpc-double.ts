import type { Hex } from "viem";

/** A JSON-RPC request as starknet.js sends it. */
export interface SentRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What the node answers: a result, or an error of the JSON-RPC specification. */
export type RpcReply =
  | { readonly result: unknown }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
    };

/** A transport in this process: starknet.js is real, the node is `answer`. Requests are kept in `sent`. */
export function rpcTransport(answer: (request: SentRequest) => RpcReply | Promise<RpcReply>): {
  readonly baseFetch: typeof fetch;
  readonly sent: SentRequest[];
} {
  const sent: SentRequest[] = [];
  const baseFetch = async (
    _url: unknown,
    init?: { readonly body?: unknown },
  ): Promise<Response> => {
    const { id, method, params } = JSON.parse(String(init?.body)) as SentRequest & {
      readonly id: number;
    };
    sent.push({ method, params });
    return new Response(
      JSON.stringify({ jsonrpc: "2.0", id, ...(await answer({ method, params })) }),
      {
        headers: { "content-type": "application/json" },
      },
    );
  };
  return { baseFetch, sent };
}

/** A call's contract, selector and calldata. */
export function callOf(request: SentRequest): { selector: Hex; calldata: bigint[]; address: Hex } {
  const call = request.params["request"] as {
    entry_point_selector: Hex;
    calldata: string[];
    contract_address: Hex;
  };
  return {
    selector: call.entry_point_selector,
    calldata: call.calldata.map(BigInt),
    address: call.contract_address,
  };
}

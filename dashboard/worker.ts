// The shared worker of all open pages: one stream for each key, since a browser opens six connections to a host.
import { CHANNEL, follow, type Followed, type Shared } from "./stream.js";

const channel = new BroadcastChannel(CHANNEL);
const followed = new Map<string, Followed>();

addEventListener("connect", (event) => {
  if (!(event instanceof MessageEvent)) return;
  for (const port of event.ports) {
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      join(String(data));
    };
  }
});

/** Tells a page what is known, and begins to follow for the first one. */
function join(key: string): void {
  const send = (state: Followed): void => {
    channel.postMessage({ key, ...state } satisfies Shared);
  };
  const known = followed.get(key);
  if (known !== undefined) {
    send(known);
    return;
  }
  followed.set(key, { connection: "connecting", view: undefined });
  void follow(key, new AbortController().signal, (state) => {
    followed.set(key, state);
    send(state);
  }).finally(() => {
    // Refused: the next page with the key asks again.
    followed.delete(key);
  });
}

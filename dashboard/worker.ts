// The shared worker of all open pages: one stream for each key, since a browser opens six connections to a host.
import { follow, type Followed } from "./stream.js";

/** A stream of the server with the pages that it is for. */
interface SharedStream {
  latest: Followed;
  readonly pages: Set<MessagePort>;
}

const streams = new Map<string, SharedStream>();

addEventListener("connect", (event) => {
  if (!(event instanceof MessageEvent)) return;
  for (const page of event.ports) {
    page.onmessage = ({ data }: MessageEvent<unknown>) => {
      join(page, String(data));
    };
  }
});

/** Tells a page what is known by its key, and from then on what changes. */
function join(page: MessagePort, key: string): void {
  const { latest, pages } = streams.get(key) ?? begin(key);
  pages.add(page);
  // Browsers that do not say when a page is gone drop what is sent to it.
  page.addEventListener("close", () => pages.delete(page));
  page.postMessage(latest);
}

/** Follows the server with a key until it is refused: the next page with it asks again. */
function begin(key: string): SharedStream {
  const stream: SharedStream = {
    latest: { connection: "connecting", view: undefined },
    pages: new Set(),
  };
  streams.set(key, stream);
  // Sent by each page's port and not by a channel, which a page may not be listening to yet.
  const report = (latest: Followed): void => {
    stream.latest = latest;
    for (const page of stream.pages) page.postMessage(latest);
  };
  void follow(key, new AbortController().signal, report).finally(() => streams.delete(key));
  return stream;
}

import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenLocally } from '#tests/support/free-port.ts';

const ROUND_TRIP_MS = 150;
const BYTES_A_MS = 1_600_000 / 8 / 1_000;
/** Connections take turns after each segment, so that each gets its share of the line. */
const SEGMENT_BYTES = 1_460;
/** TCP's initial window, which doubles with each round trip (RFC 6928). */
const FIRST_WINDOW_BYTES = 10 * SEGMENT_BYTES;
/** A timer that is late by at most this does not slow down the line. */
const LATENESS_MS = 10;

/**
 * A slow line between a browser and servers of this machine. It is a TCP proxy, because the browser's own throttling
 * leaves out service workers and prefetches. A request is delayed by the whole round trip and its response not at all,
 * which the browser cannot distinguish. A new connection takes one round trip.
 */
export function openLine() {
  const closing: (() => void)[] = [];
  let freeAt = 0;

  async function* slowed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let window = FIRST_WINDOW_BYTES;
    let sent = 0;
    let roundStart = performance.now();
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.length; start += SEGMENT_BYTES) {
        const segment = chunk.subarray(start, start + SEGMENT_BYTES);
        const inRound = performance.now() - roundStart;
        if (sent + segment.length > window || inRound > ROUND_TRIP_MS) {
          if (inRound < ROUND_TRIP_MS) await sleep(ROUND_TRIP_MS - inRound);
          if (sent + segment.length > window) window *= 2;
          sent = 0;
          roundStart = performance.now();
        }
        sent += segment.length;
        const now = performance.now();
        freeAt = Math.max(freeAt, now - LATENESS_MS) + segment.length / BYTES_A_MS;
        if (freeAt > now) await sleep(freeAt - now);
        yield segment;
      }
    }
  }

  async function carry(browser: Socket, port: number): Promise<void> {
    closing.push(() => browser.destroy());
    const server = connect(port, '127.0.0.1');
    // Either side may drop the connection.
    const carried = pipeline(server, slowed, browser).catch(() => {});
    await sleep(ROUND_TRIP_MS);
    browser.on('data', (chunk) => setTimeout(() => server.write(chunk), ROUND_TRIP_MS));
    browser.on('close', () => server.destroy());
    await carried;
  }

  return {
    /** Returns the address at which the line leads to a server. */
    async to(url: string): Promise<string> {
      const proxy = createServer((browser) => carry(browser, Number(new URL(url).port)));
      const { port } = new URL(await listenLocally(proxy));
      closing.push(() => proxy.close());
      return `${new URL(url).protocol}//localhost:${port}`;
    },
    close(): void {
      for (const close of closing) close();
    },
  };
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMeter } from './traffic.ts';

const ROUND_TRIP_MS = 150;
const BYTES_A_MS = 1_600_000 / 8 / 1_000;
/** Connections take turns by segments, so that each gets its share. */
const SEGMENT_BYTES = 1_460;
/** A timer that is late by less makes the line no slower. */
const LATENESS_MS = 10;

export type Line = ReturnType<typeof openLine>;

/**
 * A slow line between a browser and servers of this machine: a proxy for TCP, because the browser's own throttle leaves out
 * service workers and what is fetched ahead. A request waits for the whole round trip and the answer for none of it, which
 * is the same to the browser. A new connection takes one round trip. TCP's slow start is left out.
 */
export function openLine() {
  const closing: (() => void)[] = [];
  const meter = createMeter();
  let free = 0;

  async function* slowed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const count = meter.onConnection();
    for await (const chunk of chunks) {
      count(chunk);
      for (let start = 0; start < chunk.length; start += SEGMENT_BYTES) {
        const segment = chunk.subarray(start, start + SEGMENT_BYTES);
        const now = performance.now();
        free = Math.max(free, now - LATENESS_MS) + segment.length / BYTES_A_MS;
        if (free > now) await sleep(free - now);
        yield segment;
      }
    }
  }

  async function carry(browser: Socket, port: number): Promise<void> {
    closing.push(() => browser.destroy());
    const server = connect(port, '127.0.0.1');
    // Either may drop the connection.
    const carried = pipeline(server, slowed, browser).catch(() => {});
    await sleep(ROUND_TRIP_MS);
    browser.on('data', (chunk) => setTimeout(() => server.write(chunk), ROUND_TRIP_MS));
    browser.on('close', () => server.destroy());
    await carried;
  }

  return {
    /** Gives the address at which the line leads to a server. */
    async to(url: string): Promise<string> {
      const proxy = createServer((browser) => carry(browser, Number(new URL(url).port)));
      await once(proxy.listen(0, '127.0.0.1'), 'listening');
      closing.push(() => proxy.close());
      return `http://localhost:${(proxy.address() as AddressInfo).port}`;
    },
    /** What has come down since it was taken last. */
    takeTraffic: meter.take,
    close(): void {
      for (const close of closing) close();
    },
  };
}

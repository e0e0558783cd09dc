import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';

export interface LoadReport {
  asked: number;
  seconds: number;
  /** How many connections the server closed without an answer. */
  reconnected: number;
  /** The first visits that did not get one whole release. */
  faults: string[];
  /** The longest time of a visit, in ms. */
  slowest: number;
}

interface Answer {
  readonly status: number;
  readonly policy: string;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const MAX_CONNECTIONS = 3;

const ask = (address: string, report: LoadReport, connection = 1): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = get(address, { agent: connection === 1 ? agent : new Agent() }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          policy: String(response.headers['content-security-policy'] ?? ''),
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on('error', (error) => {
      // A server that reloads closes idle connections. Browsers then connect again, and so does this.
      report.reconnected += 1;
      if (connection === MAX_CONNECTIONS) reject(error);
      else ask(address, report, connection + 1).then(resolve, reject);
    });
  });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/**
 * Visits a page and its asset. They are of one release if the page's policy names the page's own script and the asset
 * is there. Returns what is wrong, or undefined.
 */
async function visit(url: string, path: string, report: LoadReport): Promise<string | undefined> {
  const { status, policy, body } = await ask(url + path, report);
  if (status !== 200) return `${path}: ${status}`;
  const script = /<script>([^<]*)<\/script>/.exec(body)?.[1] ?? '';
  if (!policy.includes(sha256(script))) return `${path}: headers and page are of two releases`;
  const asset = /src="(\/_astro\/[^"]+)"/.exec(body)?.[1] ?? '/none';
  const answer = await ask(url + asset, report);
  return answer.status === 200 ? undefined : `${asset}: ${answer.status}`;
}

const TICK_MS = 10;
const MAX_OPEN = 500;

/** Visits random pages of a tiny shop with `perSecond` requests a second until it is stopped. */
export function visitors(url: string, paths: readonly string[], perSecond: number) {
  const report: LoadReport = { asked: 0, seconds: 0, reconnected: 0, faults: [], slowest: 0 };
  const open = new Set<Promise<void>>();
  const began = performance.now();

  async function once(): Promise<void> {
    const path = paths[Math.floor(Math.random() * paths.length)] ?? '/';
    const started = performance.now();
    const fault = await visit(url, path, report).catch((error: unknown) => `${path}: ${String(error)}`);
    report.asked += 2;
    report.slowest = Math.max(report.slowest, performance.now() - started);
    if (fault !== undefined && report.faults.length < 20) report.faults.push(fault);
  }

  let sent = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    // A visit is two requests. Visits that are late are made up for, unless too many are open already.
    for (; sent < due && open.size < MAX_OPEN; sent += 2) {
      const visiting = once().finally(() => open.delete(visiting));
      open.add(visiting);
    }
  }, TICK_MS);

  return {
    async stop(): Promise<LoadReport> {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
      return { ...report, seconds: (performance.now() - began) / 1000 };
    },
  };
}

import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';

export interface LoadReport {
  asked: number;
  seconds: number;
  /** Connections that the server closed unanswered. */
  reconnected: number;
  /** What was not one whole release, shortened. */
  faults: string[];
  /** ms until the answer was whole. */
  slowest: number;
}

interface Answer {
  readonly status: number;
  readonly policy: string;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const CONNECTIONS_MOST = 3;

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
      // A server that reloads closes connections without a request; browsers then connect anew, and so does this.
      report.reconnected += 1;
      if (connection === CONNECTIONS_MOST) reject(error);
      else ask(address, report, connection + 1).then(resolve, reject);
    });
  });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A page whose policy names its own script, and whose asset is there, is of one release. */
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
const OPEN_MOST = 500;

/** Visits random pages of a tiny shop, `perSecond` requests a second, until stopped. */
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
    // A visit is two requests. What could not be sent in time is sent late, unless too much is open already.
    for (; sent < due && open.size < OPEN_MOST; sent += 2) {
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

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './answers.ts';
import type { Change } from './values.ts';

/** How the answers are changed, keyed by the name of the call. */
export type Plan = ReadonlyMap<string, Change<Answer>>;

/** Stands between a page and the real API: it records the real answers, and sends them to the page changed. */
export interface FakeApi {
  readonly port: number;
  /** Changes the answers by this plan from now on, and resets `calls` and `changed`. */
  readonly follow: (plan: Plan) => void;
  /** The calls since the last plan. */
  readonly calls: () => ReadonlySet<string>;
  /** How many of their answers were changed. */
  readonly changed: () => number;
  readonly close: () => Promise<void>;
}

/** The name of a call in a plan. It leaves out ids, page numbers and everything else that differs from page to page. */
function callOf(method: string, { pathname, searchParams }: URL): string {
  const path = pathname.replace(/^\/api\/v1\//, '').replace(/^(products|orders)\/[^/]+$/, '$1/{id}');
  const limit = searchParams.get('limit');
  return `${method} ${path}${limit ? ` by ${limit}` : ''}`;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const RECORDED_HEADERS = ['content-type', 'retry-after', 'etag', 'cache-control'];

const corsOf = (origin: string): Record<string, string> => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Expose-Headers': 'Retry-After, ETag',
  Vary: 'Origin',
});

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
  'Access-Control-Max-Age': '600',
};

function send(response: ServerResponse, { status, headers, body, instead }: Answer, origin: string): void {
  if (instead === 'hang') return;
  if (instead === 'reset') {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...corsOf(origin), 'Content-Length': body.length, ...headers });
  if (instead === 'cut') {
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
    return;
  }
  response.end(status === 204 || status === 304 ? undefined : body);
}

/**
 * @param realUrl the real API; every request is sent to it once and its answer recorded
 * @param redirected returns the path whose answer stands in for one that the real API does not have
 */
export async function startFakeApi(
  realUrl: string,
  redirected: (url: URL) => string,
  recorded: Map<string, Promise<Answer>>,
): Promise<FakeApi> {
  let plan: Plan = new Map();
  let calls = new Set<string>();
  let changed = 0;

  async function askReal(request: IncomingMessage, url: URL, body: Buffer): Promise<Answer> {
    const { authorization } = request.headers;
    const response = await fetch(realUrl + redirected(url), {
      method: request.method ?? 'GET',
      headers: {
        ...(authorization ? { Authorization: authorization } : {}),
        ...(body.length > 0 ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const headers = [...response.headers].filter(([name]) => RECORDED_HEADERS.includes(name));
    return {
      status: response.status,
      headers: Object.fromEntries(headers),
      body: Buffer.from(await response.arrayBuffer()),
    };
  }

  /** A request that was sent before gets its recorded answer, so that nothing is stored twice. */
  function realAnswer(request: IncomingMessage, url: URL, body: Buffer): Promise<Answer> {
    const posted = /payments$/.test(url.pathname) ? body.toString() : '';
    const key = `${request.method} ${url.pathname}${url.search} ${request.headers.authorization ?? ''} ${posted}`;
    const answer = recorded.get(key) ?? askReal(request, url, body);
    recorded.set(key, answer);
    return answer;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = request.headers.origin ?? '*';
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { ...corsOf(origin), ...PREFLIGHT }).end();
      return;
    }
    const url = new URL(request.url ?? '/', realUrl);
    const real = await realAnswer(request, url, await bodyOf(request));
    if (!url.pathname.startsWith('/api/')) {
      send(response, real, origin);
      return;
    }
    const call = callOf(request.method ?? 'GET', url);
    calls.add(call);
    const change = plan.get(call);
    if (change) changed += 1;
    send(response, change ? change(real) : real, origin);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    follow: (next) => {
      plan = next;
      calls = new Set();
      changed = 0;
    },
    calls: () => calls,
    changed: () => changed,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './answers.ts';
import type { Change } from './values.ts';

/** By the name of a call, how its answers are changed. */
export type Plan = ReadonlyMap<string, Change<Answer>>;

/** Stands between a page and the real API: it records real answers, and gives them back changed. */
export interface FakeApi {
  readonly port: number;
  /** From here on answers are changed like this. Starts to count anew. */
  readonly follow: (plan: Plan) => void;
  /** The calls since the last plan, and how many of their answers were changed. */
  readonly asked: () => ReadonlySet<string>;
  readonly changed: () => number;
  readonly close: () => Promise<void>;
}

/** A call as plans name it: without ids, pages and everything else that differs from page to page. */
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

const KEPT_HEADERS = ['content-type', 'retry-after', 'etag', 'cache-control'];

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
 * @param realUrl the API that is asked once for every address
 * @param redirected answers of another address for one that the real API does not know
 */
export async function startFakeApi(
  realUrl: string,
  redirected: (url: URL) => string,
  recorded: Map<string, Promise<Answer>>,
): Promise<FakeApi> {
  let plan: Plan = new Map();
  let asked = new Set<string>();
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
    const kept = [...response.headers].filter(([name]) => KEPT_HEADERS.includes(name));
    return {
      status: response.status,
      headers: Object.fromEntries(kept),
      body: Buffer.from(await response.arrayBuffer()),
    };
  }

  /** What was posted before is answered as before: nothing is stored twice. */
  function realAnswer(request: IncomingMessage, url: URL, body: Buffer): Promise<Answer> {
    const posted = /payments$/.test(url.pathname) ? body.toString() : '';
    const key = `${request.method} ${url.pathname}${url.search} ${request.headers.authorization ?? ''} ${posted}`;
    const known = recorded.get(key) ?? askReal(request, url, body);
    recorded.set(key, known);
    return known;
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
    asked.add(call);
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
      asked = new Set();
      changed = 0;
    },
    asked: () => asked,
    changed: () => changed,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

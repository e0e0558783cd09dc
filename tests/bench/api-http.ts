import { Agent, request } from 'node:http';

/** How many connections ask at the same time. */
export const CONNECTIONS = 32;

export interface Call {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What nginx calls an answer for which it did not ask the API. */
const FROM_CACHE = ['HIT', 'STALE', 'UPDATING'];

interface Answer {
  readonly text: string;
  /** Whether a shared cache answered by itself. */
  readonly isCached: boolean;
}

/** New connections for one measurement. The API would close them while they idle during another one. */
export const newAgent = (most = Number.POSITIVE_INFINITY): Agent =>
  new Agent({ keepAlive: true, maxSockets: most });

/** Sends a request with Node's own client, because `fetch` costs as much as the server itself. */
export function send(api: string, agent: Agent, { path, headers = {}, body }: Call): Promise<Answer> {
  const url = `${api}/api/v1/${path}`;
  const method = body === undefined ? 'GET' : 'POST';
  const text = body === undefined ? '' : JSON.stringify(body);
  const allHeaders = body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent, method, headers: allHeaders }, (response) => {
      const isCached = FROM_CACHE.includes(String(response.headers['x-cache']));
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk;
      });
      response.on('error', reject).on('end', () => resolve({ text: answer, isCached }));
    });
    sending.on('error', reject).end(text);
  });
}

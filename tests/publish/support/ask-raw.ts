import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was sent. `fetch` would decode it, or fail on an encoding that it does not know. */
  readonly body: Buffer;
}

/** @param path sent unchanged, where `fetch` and URL would normalise it */
export async function fetchRaw(
  url: string,
  headers: Record<string, string>,
  path = url.slice(new URL(url).origin.length),
): Promise<RawAnswer> {
  const [response]: IncomingMessage[] = await once(get(url, { headers, agent: false, path }), 'response');
  if (!response) throw new Error(`${url} was not answered`);
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

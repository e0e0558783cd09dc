import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { MAX_PICTURE_BYTES } from '#domain/picture.ts';

/* Fetches images at build time, only from public addresses and from the API itself. */

const TIMEOUT_MS = 15_000;
const REDIRECTS = 3;
/** The default port of the API. Responses may name it even if the build reaches the API on another port. */
const LOCAL_API_PORT = '8044';

const INTERNAL = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 224.0.0.0/3
  ::/96 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8`;

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const internal = new BlockList();
for (const subnet of INTERNAL.trim().split(/\s+/)) {
  const [net = '', prefix] = subnet.split('/');
  internal.addSubnet(net, Number(prefix), familyOf(net));
}

/** Whether an IP address is of this machine, its network or a reserved range. */
export const isInternal = (address: string): boolean => internal.check(address, familyOf(address));

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

export interface ImageSource {
  readonly url: URL;
  /** Whether it is the API's own address, which may be internal. */
  readonly trusted: boolean;
}

/**
 * Returns the address at which the build fetches an image. localhost, 127.0.0.1 and ::1 count as one host.
 * Replaces the default local address of the API by the address at which the build reaches it.
 */
export function imageSource(address: string, apiOrigin: string): ImageSource {
  const url = new URL(address);
  const api = new URL(apiOrigin);
  const bothLocal = LOOPBACK.has(bareHost(url)) && LOOPBACK.has(bareHost(api));
  if (bothLocal && [portOf(api), LOCAL_API_PORT].includes(portOf(url))) {
    return { url: new URL(url.pathname + url.search, api), trusted: true };
  }
  return { url, trusted: url.host === api.host };
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const internalAddress = addresses?.find(({ address }) => isInternal(address));
    if (error || internalAddress || addresses[0] === undefined) {
      callback(error ?? new Error(`${hostname} is an internal address`), '');
    } else if (options.all) callback(null, addresses);
    else callback(null, addresses[0].address, addresses[0].family);
  });
};

export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export type FetchedImage =
  | ({ readonly status: 'fetched'; readonly bytes: Buffer } & Validators)
  | { readonly status: 'unchanged' };

/** Uses node:http, because `fetch` cannot check the IP address that it connects to. */
async function request(
  { url, trusted }: ImageSource,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const host = bareHost(url);
  if (!trusted && isIP(host) && isInternal(host)) throw new Error(`${host} is an internal address`);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = {
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(trusted ? {} : { lookup: publicLookup }),
    };
    send(url, options, resolve).on('error', reject).end();
  });
}

async function readBody(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_PICTURE_BYTES) throw new Error(`has more than ${MAX_PICTURE_BYTES / 1024 ** 2} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function fetchImage(
  address: string,
  apiOrigin: string,
  previous: Validators = {},
): Promise<FetchedImage> {
  const headers = {
    Accept: 'image/*',
    ...(previous.etag ? { 'If-None-Match': previous.etag } : {}),
    ...(previous.lastModified ? { 'If-Modified-Since': previous.lastModified } : {}),
  };
  let source = imageSource(address, apiOrigin);
  for (let hop = 0; hop <= REDIRECTS; hop += 1) {
    const response = await request(source, headers);
    const { etag, location, 'last-modified': lastModified } = response.headers;
    const status = response.statusCode ?? 0;
    if (status === 200) return { status: 'fetched', bytes: await readBody(response), etag, lastModified };
    response.destroy();
    if (status === 304) return { status: 'unchanged' };
    if (status < 300 || status > 399 || !location) throw new Error(`answered ${status}`);
    const next = new URL(location, source.url);
    if (!/^https?:$/.test(next.protocol)) throw new Error(`leads to ${next.protocol}`);
    source = imageSource(next.href, apiOrigin);
  }
  throw new Error('leads from one address to the next');
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { API_ORIGIN } from '#tests/support/api-address.ts';
import { listenLocally } from '#tests/support/free-port.ts';

/** Where pages send reports, and where they get the script that does it. */
const WATCH = '/watch';

/** Reports uncaught errors of a page, and that it was loaded again. Runs in the page, before its other scripts. */
function watch(address: string): void {
  const report = (fault: unknown) => navigator.sendBeacon(address, `${location.href}: ${fault}`);
  for (const entry of performance.getEntriesByType('navigation'))
    if ('type' in entry && entry.type === 'reload') report('loaded again');
  const record = (event: Event): void => {
    const { error, reason, message }: Partial<ErrorEvent & PromiseRejectionEvent> = event as object;
    const fault = error ?? reason ?? message;
    // Other listeners of the page may handle it.
    setTimeout(() => event.defaultPrevented || report(fault?.stack ? `${fault}\n${fault.stack}` : fault));
  };
  addEventListener('error', record);
  addEventListener('unhandledrejection', record);
}

/**
 * Opens an HTTP proxy for a browser. Requests to the address at which pages on localhost call the API go to this API, all
 * others to the site. Collects the errors of the site's pages, because WebKit's client cannot read its console.
 */
export async function openProxy(siteUrl: string, apiUrl: string) {
  const reports: string[] = [];
  const server = createServer(async (incoming, response) => {
    const { origin, pathname, search } = new URL(incoming.url ?? '', siteUrl);
    const isApi = origin === API_ORIGIN;
    if (!isApi && pathname === WATCH) {
      if (incoming.method === 'POST') reports.push(await text(incoming).catch(String));
      response
        .setHeader('Content-Type', 'text/javascript')
        .setHeader('Cache-Control', 'max-age=86400')
        .end(`(${watch})('${WATCH}')`);
      return;
    }
    const { method, headers } = incoming;
    const target = new URL(isApi ? apiUrl : siteUrl);
    const sent = request({
      host: '127.0.0.1',
      port: target.port,
      path: pathname + search,
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
    // The browser may leave, or the server close.
    response.on('close', () => sent.destroy());
    sent.on('error', () => response.destroy());
    incoming.pipe(sent);
    sent.on('response', async (answer: IncomingMessage) => {
      const { 'content-length': _, ...others } = answer.headers;
      const status = answer.statusCode ?? 502;
      if (isApi || method !== 'GET' || !others['content-type']?.startsWith('text/html'))
        return answer.pipe(response.writeHead(status, answer.headers));
      const html = await text(answer).catch(() => undefined);
      if (html === undefined) return response.destroy();
      return response
        .writeHead(status, others)
        .end(html.replace('<head>', `<head><script src="${WATCH}"></script>`));
    });
  });
  const { port } = new URL(await listenLocally(server));

  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };

  return {
    port: Number(port),
    reports,
    close,
    /** Listens again, after `close`. */
    open: async (): Promise<void> => void (await once(server.listen(Number(port), '127.0.0.1'), 'listening')),
  };
}

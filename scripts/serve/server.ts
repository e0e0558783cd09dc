import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { listen } from '#server/http/node-server.ts';
import { createSite } from './handler.ts';

/** Serves the current content of the directory, such as a new release. A request never mixes two releases. */
function liveSite(site: string): (request: Request) => Promise<Response> {
  let current: { identity: string; site: Promise<Hono> } | undefined;

  const siteNow = async (): Promise<Hono> => {
    const stats = await stat(site);
    const directory = await realpath(site);
    // A file system may reuse the inode number of a deleted folder, so the birth time is compared too.
    const identity = `${directory} ${stats.dev}:${stats.ino} ${stats.birthtimeMs}`;
    if (current?.identity !== identity) {
      current = { identity, site: createSite(directory) };
    }
    return current.site;
  };

  return async (request) => {
    const site = await siteNow().catch(() => undefined);
    return site ? site.fetch(request) : new Response('There is no site yet\n', { status: 503 });
  };
}

/**
 * Serves a built site.
 * @param options the default port is any free one, the default host every address of this machine
 * @throws ExplainedError if the port is taken
 */
export async function serveSite(options: { directory: string; port?: number; host?: string }) {
  const handle = getRequestListener(liveSite(options.directory), { overrideGlobalObjects: false });
  const server = createServer(handle);
  const port = await listen(server, options.port ?? 0, options.host);
  return {
    url: `http://localhost:${port}`,
    port,
    /** Ends the server and its open connections. */
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

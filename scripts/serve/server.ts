import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { createSite, type SiteOptions } from './handler.ts';

export type SiteServer = {
  /** The site's address, on localhost. */
  url: string;
  port: number;
  /** Ends the server and its open connections. */
  close: () => Promise<void>;
};

export type ServeOptions = SiteOptions & {
  /** 0 means any free port. */
  port?: number;
  /** If not given, the server listens on every address of this computer. */
  host?: string;
};

/**
 * Answers from what is in the directory now, with its own headers: a new build, or another release behind the link.
 * Each request is answered from one release only.
 */
function liveSite(options: SiteOptions): (request: Request) => Promise<Response> {
  let current: { identity: string; site: Promise<Hono> } | undefined;

  const siteNow = async (): Promise<Hono> => {
    const stats = await stat(options.directory);
    const directory = await realpath(options.directory);
    // A file system may give a new folder the inode number of a deleted one, so the birth time is compared, too.
    const identity = `${directory} ${stats.dev}:${stats.ino} ${stats.birthtimeMs}`;
    if (current?.identity !== identity) {
      current = { identity, site: createSite({ ...options, directory }) };
    }
    return current.site;
  };

  return async (request) => {
    const site = await siteNow().catch(() => undefined);
    return site ? site.fetch(request) : new Response('There is no site yet\n', { status: 503 });
  };
}

/** Serves a built site. Rejects with `EADDRINUSE` if the port is taken. */
export const serveSite = async ({ port = 0, host, ...site }: ServeOptions): Promise<SiteServer> => {
  const server = createServer(getRequestListener(liveSite(site), { overrideGlobalObjects: false }));
  server.listen({ port, ...(host === undefined ? {} : { host }) });
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${actualPort}`,
    port: actualPort,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

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
  /** Ends the server and the connections it still has. */
  close: () => Promise<void>;
};

export type ServeOptions = SiteOptions & {
  /** 0 takes any free port. */
  port?: number;
  /** Without one, every address of this computer. */
  host?: string;
};

/**
 * Answers from whatever stands in the directory now: a new build in its place, or another release behind its link, with
 * that one's own headers. A request is answered from one release alone.
 */
function liveSite(options: SiteOptions): (request: Request) => Promise<Response> {
  let current: { identity: string; site: Promise<Hono> } | undefined;

  const siteNow = async (): Promise<Hono> => {
    const stats = await stat(options.directory);
    const directory = await realpath(options.directory);
    // A file system may give a new folder the number of one that is gone.
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

/** Serves a built site. Rejects with `EADDRINUSE` where the port is taken. */
export const serveSite = async ({ port = 0, host, ...site }: ServeOptions): Promise<SiteServer> => {
  const server = createServer(getRequestListener(liveSite(site), { overrideGlobalObjects: false }));
  server.listen({ port, ...(host === undefined ? {} : { host }) });
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${taken}`,
    port: taken,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

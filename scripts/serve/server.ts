import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SiteOptions } from './handler.ts';
import { createLiveHandler } from './live-handler.ts';

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

/** Serves a built site. Rejects with `EADDRINUSE` where the port is taken. */
export const serveSite = async ({ port = 0, host, ...site }: ServeOptions): Promise<SiteServer> => {
  const server = createServer(createLiveHandler(site));
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

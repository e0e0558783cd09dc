import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether nothing listens on a port of this computer. */
export const isPortFree = async (port: number, host: string | undefined): Promise<boolean> => {
  const server = createServer();
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
};

import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSiteHandler, type SiteOptions } from './handler.ts';

type Handler = Awaited<ReturnType<typeof createSiteHandler>>;

/**
 * Serves whatever stands in the directory now: a new build in its place, or another release behind its link, with that
 * one's own headers. A request is answered from one release alone.
 */
export function createLiveHandler(options: SiteOptions): Handler {
  let current: { identity: string; handler: Promise<Handler> } | undefined;

  const handlerNow = async (): Promise<Handler> => {
    const stats = await stat(options.directory);
    const directory = await realpath(options.directory);
    // A file system may give a new folder the number of one that is gone.
    const identity = `${directory} ${stats.dev}:${stats.ino} ${stats.birthtimeMs}`;
    if (current?.identity !== identity) {
      current = { identity, handler: createSiteHandler({ ...options, directory }) };
    }
    return current.handler;
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    handlerNow().then(
      (handler) => handler(request, response),
      () => response.writeHead(503, { 'content-type': 'text/plain' }).end('There is no site yet\n'),
    );
  };
}

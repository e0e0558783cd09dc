import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { answerStub, type StubCatalogue, stubCatalogue } from './stub-catalogue.ts';
import type { AtEnd } from './temporary-folder.ts';

export type StubApi = StubCatalogue & { readonly url: string };

/** Starts an API whose catalogue the test can change and break. It stops at the end of the test, or by `atEnd`. */
export async function startStubApi(count: number, atEnd: AtEnd = onTestFinished): Promise<StubApi> {
  const server = createServer((request, response) => answerStub(api, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const api: StubApi = Object.assign(stubCatalogue(count), { url: `http://127.0.0.1:${port}` });
  return api;
}

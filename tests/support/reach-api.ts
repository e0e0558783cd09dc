/*
 * Loaded into the build (`--import`). The tests' API listens on a free port, but all addresses that it sends begin with
 * http://localhost:8044, as in the built pages. Requests to that address are sent to the tests' API: those of `fetch`,
 * and those of node:http, which fetches pictures.
 */
import { globalAgent } from 'node:http';
import { API_ORIGIN } from './api-address.ts';

const LOCAL_API = `${API_ORIGIN}/`;
const api = process.env.REACH_API;
const realFetch = globalThis.fetch;

if (api) {
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(LOCAL_API)) return realFetch(request);
    return realFetch(new Request(request.url.replace(LOCAL_API, `${api}/`), request));
  };
  const { hostname: host, port } = new URL(api);
  const createConnection = globalAgent.createConnection.bind(globalAgent);
  globalAgent.createConnection = (options, callback) =>
    createConnection(
      String(options.port) === new URL(API_ORIGIN).port ? { ...options, host, port } : options,
      callback,
    );
}

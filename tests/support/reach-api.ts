/*
 * Loaded into the build (`--import`): the tests' API listens on a free port, yet everything it names is on
 * http://localhost:8044, as in the built pages. What is asked of that address is asked of the tests' API.
 */
import { API_ORIGIN } from './api-address.ts';

const LOCAL_API = `${API_ORIGIN}/`;
const api = process.env.REACH_API;
const ask = globalThis.fetch;

if (api) {
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(LOCAL_API)) return ask(request);
    return ask(new Request(request.url.replace(LOCAL_API, `${api}/`), request));
  };
}

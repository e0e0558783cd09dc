import { createServer } from 'node:http';
import { afterAll, beforeAll } from 'vitest';

const PAGES: Readonly<Record<string, string>> = {
  '/terms':
    '<!DOCTYPE html><html lang="en-IN"><head><meta charset="utf-8"><title>Terms</title><style>.policy-text{color:red}</style><script>pwned()</script></head><body><h1>Terms</h1><div class="policy-text" lang="en-IN"><p>Live &amp; old</p></div><footer>Ours</footer></body></html>',
  '/': '<!DOCTYPE html><html><head></head><body><section class="hero"><h1>Old<br>title</h1><div class="hero-side"><p>Old text</p></div></section><ul class="trust wrap"><li>Old tile</li></ul></body></html>',
  '/privacy': '<!DOCTYPE html><html><head></head><body><p>Another version</p></body></html>',
};

/** A site with a few pages as the shop builds them, for the tests of a file. @returns its origin */
export function liveShop(): () => string {
  const server = createServer(({ url = '' }, response) => {
    const page = PAGES[url];
    response.writeHead(page ? 200 : 404, { 'Content-Type': 'text/html' }).end(page);
  });
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => new Promise((done) => server.close(done)));
  return () => {
    const address = server.address();
    return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '';
  };
}

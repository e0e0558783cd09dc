import { describe, expect, it } from 'vitest';
import { MANGO, testApi } from '#tests/api/support/api.ts';

describe('GET /products', () => {
  it('[bar] asks about an unchanged catalogue are answered 304, until it changes', async () => {
    const api = await testApi();
    for (const path of ['/products?page=2', `/products/${MANGO}`, '/storeInfo']) {
      const first = await api.ask(path);
      const tag = first.headers.get('etag') ?? '';
      const again = await api.ask(path, { headers: { 'If-None-Match': `"other", W/${tag}` } });
      expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
      expect((await api.ask(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    }
  });
});

describe('GET /images/{name}', () => {
  it('serves a picture with type, freshness and validator', async () => {
    const { ask } = await testApi();
    const picture = await ask('/images/mango.webp');
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(picture.headers.get('cache-control')).toContain('max-age=3600');
    const tag = picture.headers.get('etag') ?? '';
    expect((await ask('/images/mango.webp', { headers: { 'If-None-Match': tag } })).status).toBe(304);
  });

  it.each(['none.webp', '..%2fstore.json', 'README.md', '%2e%2e%2fREADME.md', '.webp'])(
    '%s is a 404',
    async (name) => {
      const { ask } = await testApi();
      expect((await ask(`/images/${name}`)).status).toBe(404);
    },
  );
});

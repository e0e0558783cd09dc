import { createServer } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { BUILD_REQUESTS } from '#api/requests.ts';
import { listenLocally } from '#tests/support/free-port.ts';
import type { AtEnd } from './temporary-folder.ts';

export interface StubApi {
  readonly url: string;
  store: Record<string, unknown>;
  products: Record<string, unknown>[];
  /** How many pages of the list are answered. The connection of requests for later pages is cut. */
  pagesAnswered: number;
  /** Whether a page of the list says how many products there are. */
  isCounted: boolean;
  /** Whether the list has pages. If not, every page is the whole list. */
  hasPages: boolean;
  /** The pictures, keyed by their path on the API. */
  pictures: Map<string, Buffer>;
  /** Called after a page was read, so that a test can change the list while it is being read. */
  onPage: (page: number) => void;
}

const STORE = {
  storeName: 'Stub Fruits',
  companyName: 'Stub Fruits Limited',
  companyAddress: 'Nashik',
  companyEmail: 'care@stub.example',
  companyPhone: '+91 98765 43210',
  companyLogoUrl: '',
  description: 'Fruit',
  categories: ['Berries'],
  categoryImages: {},
  policies: {},
};

export const productDto = (index: number): Record<string, unknown> => ({
  id: `p${index}`,
  title: `Mango ${index}`,
  description: 'Ripe.',
  imgUrl: '',
  category: 'Berries',
  parentCategory: 'Fresh Fruits',
  regularPrice: 100 + index,
  discountedPrice: null,
  images: [],
  attributes: [],
});

/** Starts an API whose catalogue the test can change and break. It stops at the end of the test, or by `atEnd`. */
export async function startStubApi(count: number, atEnd: AtEnd = onTestFinished): Promise<StubApi> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const api: StubApi = {
    url: await listenLocally(server),
    store: { ...STORE },
    products: Array.from({ length: count }, (_, index) => productDto(index)),
    pagesAnswered: Number.POSITIVE_INFINITY,
    isCounted: true,
    hasPages: true,
    pictures: new Map(),
    onPage: () => {},
  };
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  for (const { path } of Object.values(BUILD_REQUESTS))
    app.get(`/api/v1/${path}`, ({ json }) => json(path === BUILD_REQUESTS.store.path ? api.store : {}));
  app.get('/api/v1/products', (context) => {
    const [page, limit] = [Number(context.req.query('page')), Number(context.req.query('limit'))];
    if (page > api.pagesAnswered) context.env.incoming.socket.destroy();
    const total = api.products.length;
    const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
    const answer = context.json({
      data: api.hasPages ? api.products.slice((page - 1) * limit, page * limit) : api.products,
      ...(api.isCounted && { pagination, count: total }),
    });
    api.onPage(page);
    return answer;
  });
  app.get('*', (context) => {
    const picture = api.pictures.get(context.req.path);
    if (!picture) return context.notFound();
    return context.body(new Uint8Array(picture), 200, { 'Content-Type': 'image/png' });
  });
  return api;
}

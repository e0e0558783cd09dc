import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

export interface StubApi {
  readonly url: string;
  products: Record<string, unknown>[];
  /** Pages of the list that are answered; later ones have their connection cut. */
  pagesAnswered: number;
  /** Calls the list when a page was asked for, to change it meanwhile. */
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

export const wireProduct = (index: number): Record<string, unknown> => ({
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

/** An API with a catalogue that the test changes and breaks at will. */
export async function startStubApi(count: number): Promise<StubApi> {
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://stub');
    const send = (body: unknown, status = 200): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (address.pathname === '/api/v1/storeInfo') return send(STORE);
    if (address.pathname !== '/api/v1/products') return send({ error: 'Not found' }, 404);
    const page = Number(address.searchParams.get('page') ?? 1);
    const limit = Number(address.searchParams.get('limit') ?? 12);
    if (page > api.pagesAnswered) return void request.socket.destroy();
    const total = api.products.length;
    send({
      data: api.products.slice((page - 1) * limit, page * limit),
      pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
      count: total,
    });
    api.onPage(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const api: StubApi = {
    url: `http://127.0.0.1:${port}`,
    products: Array.from({ length: count }, (_, index) => wireProduct(index)),
    pagesAnswered: Number.POSITIVE_INFINITY,
    onPage: () => {},
  };
  return api;
}

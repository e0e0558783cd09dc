import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { BUILD_REQUESTS } from '#api/requests.ts';
import { listenLocally } from '#tests/support/free-port.ts';
import type { AtEnd } from './temporary-folder.ts';

export type StubApi = StubCatalogue & { readonly url: string };

/** Starts an API whose catalogue the test can change and break. It stops at the end of the test, or by `atEnd`. */
export async function startStubApi(count: number, atEnd: AtEnd = onTestFinished): Promise<StubApi> {
  const server = createServer((request, response) => answerStub(api, request, response));
  const api: StubApi = Object.assign(stubCatalogue(count), { url: await listenLocally(server) });
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return api;
}

interface StubCatalogue {
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
  /** Called after a page was sent, so that a test can change the list while it is being read. */
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

const stubCatalogue = (count: number): StubCatalogue => ({
  store: { ...STORE },
  products: Array.from({ length: count }, (_, index) => productDto(index)),
  pagesAnswered: Number.POSITIVE_INFINITY,
  isCounted: true,
  hasPages: true,
  pictures: new Map(),
  onPage: () => {},
});

function answerStub(catalogue: StubCatalogue, request: IncomingMessage, response: ServerResponse): void {
  const address = new URL(request.url ?? '/', 'http://stub');
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const path = address.pathname.replace('/api/v1/', '');
  if (Object.values(BUILD_REQUESTS).some((request) => request.path === path)) {
    send(200, path === BUILD_REQUESTS.store.path ? catalogue.store : {});
    return;
  }
  const picture = catalogue.pictures.get(address.pathname);
  if (picture) {
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(picture);
    return;
  }
  if (path !== 'products') {
    send(404, { error: 'Not found' });
    return;
  }
  const page = Number(address.searchParams.get('page') ?? 1);
  const limit = Number(address.searchParams.get('limit') ?? 12);
  if (page > catalogue.pagesAnswered) {
    request.socket.destroy();
    return;
  }
  const total = catalogue.products.length;
  send(200, {
    data: catalogue.hasPages
      ? catalogue.products.slice((page - 1) * limit, page * limit)
      : catalogue.products,
    ...(catalogue.isCounted && {
      pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
      count: total,
    }),
  });
  catalogue.onPage(page);
}

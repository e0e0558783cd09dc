const CACHE = 'shop-page';
const PAGES_LIMIT = 8;

export interface OfflinePage {
  readonly title: string;
  readonly path: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');

const nameOf = (html: string): string | undefined => {
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1];
  return title === undefined || /<meta name="robots"/.test(html)
    ? undefined
    : decode(title.replace(/ \| .*/, ''));
};

/** The pages that can be opened offline, newest first; none if the browser has no cache. */
export async function offlinePages(): Promise<OfflinePage[]> {
  if (!('caches' in globalThis) || !(await caches.has(CACHE))) return [];
  const cache = await caches.open(CACHE);
  const pages: OfflinePage[] = [];
  for (const request of [...(await cache.keys())].reverse()) {
    if (pages.length === PAGES_LIMIT) break;
    const title = nameOf((await (await cache.match(request))?.text()) ?? '');
    if (title !== undefined) pages.push({ title, path: new URL(request.url).pathname });
  }
  return pages;
}

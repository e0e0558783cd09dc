import type { APIRoute } from 'astro';
import { catalogue } from '#catalogue/catalogue.ts';
import { feedXml } from '#catalogue/feed.ts';
import { displayName } from '#domain/store-info.ts';
import { paths } from '#paths.ts';
import { site } from '#site.ts';

const absolute = (path: string): string => new URL(path, site.origin).href;

export const GET: APIRoute = async () => {
  const { store, products } = await catalogue();
  const xml = feedXml(products, {
    name: displayName(store),
    description: store.description,
    home: absolute(paths.home),
    pageOf: ({ id }) => absolute(paths.product(id)),
  });
  return new Response(xml, { headers: { 'Content-Type': 'application/xml' } });
};

import type { APIRoute } from 'astro';
import { catalogue } from '#catalogue/catalogue.ts';
import { feedXml } from '#catalogue/feed.ts';
import { absoluteAddress, displayName } from '#domain/store-info.ts';
import { paths } from '#paths.ts';

export const GET: APIRoute = async () => {
  const { store, products } = await catalogue();
  const xml = feedXml(products, {
    name: displayName(store),
    description: store.description,
    delivery: store.delivery,
    home: absoluteAddress(store, paths.home),
    pageOf: ({ id }) => absoluteAddress(store, paths.product(id)),
  });
  return new Response(xml, { headers: { 'Content-Type': 'application/xml' } });
};

import type { APIRoute, GetStaticPaths, InferGetStaticPropsType } from 'astro';
import { pictureOf } from '#catalogue/images/picture-of.ts';
import { listingData } from '#catalogue/listing.ts';
import { toCard } from '#domain/card.ts';
import { pageCount } from '#domain/listing.ts';
import { listingDataPage } from '#domain/listing-data.ts';

export const getStaticPaths = (async () =>
  (await listingData()).flatMap((listing) =>
    Array.from({ length: pageCount(listing.products.length) }, (_, index) => ({
      params: { slug: listing.slug, page: String(index + 1) },
      props: { total: listing.products.length, products: listingDataPage(listing, index + 1) },
    })),
  )) satisfies GetStaticPaths;

/** A page of a listing, shown before the API has responded. */
export const GET: APIRoute<InferGetStaticPropsType<typeof getStaticPaths>> = async ({ props }) => {
  const cards = await Promise.all(
    props.products.map(async (product) => toCard(product, await pictureOf(product.image))),
  );
  return Response.json({ total: props.total, cards });
};

import type { APIRoute, GetStaticPaths, InferGetStaticPropsType } from 'astro';
import { indexLookup, listingData } from '#catalogue/listing.ts';
import { filterIndexOf } from '#domain/listing-data.ts';
import { REFINED_LIMIT } from '#domain/refine.ts';

export const getStaticPaths = (async () =>
  (await listingData())
    .filter(({ products }) => products.length <= REFINED_LIMIT)
    .map(({ slug, products }) => ({ params: { slug }, props: { products } }))) satisfies GetStaticPaths;

/** Fetched when a visitor sorts or filters the listing. */
export const GET: APIRoute<InferGetStaticPropsType<typeof getStaticPaths>> = async ({ props }) =>
  Response.json(filterIndexOf(props.products, await indexLookup(), Date.now()));

import type { APIRoute, GetStaticPaths, InferGetStaticPropsType } from 'astro';
import { indexLookup, listingData } from '#catalogue/listing.ts';
import { filterIndexOf, REFINED_LIMIT } from '#domain/refine.ts';

export const getStaticPaths = (async () =>
  (await listingData())
    .filter(({ products }) => products.length <= REFINED_LIMIT)
    .map(({ slug, products }) => ({ params: { slug }, props: { products } }))) satisfies GetStaticPaths;

/** The table for sorting and narrowing a listing, fetched when a visitor does so. */
export const GET: APIRoute<InferGetStaticPropsType<typeof getStaticPaths>> = async ({ props }) =>
  Response.json(filterIndexOf(props.products, await indexLookup()));

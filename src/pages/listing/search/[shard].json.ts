import type { APIRoute, GetStaticPaths, InferGetStaticPropsType } from 'astro';
import { shards } from '#catalogue/listing.ts';
import { shardPath } from '#domain/search.ts';

const nameOf = (prefix: string): string => /([^/]+)\.json$/.exec(shardPath(prefix))?.[1] ?? '';

export const getStaticPaths = (async () =>
  [...(await shards())].map(([prefix, rows]) => ({
    params: { shard: nameOf(prefix) },
    props: { rows },
  }))) satisfies GetStaticPaths;

/** Fetched when a visitor searches. */
export const GET: APIRoute<InferGetStaticPropsType<typeof getStaticPaths>> = ({ props }) =>
  Response.json(props.rows);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { Place } from '#scripts/page-scripts/place.ts';

/*
 * What `astro build` compiles, kept between builds: pages are made of it and the catalogue, without compiling the same
 * code again. It lies in a folder named by a hash of the code and its settings:
 *
 *   client/    what browsers load, and public/
 *   server/    the pages as modules
 *   kept.json  what those need to know of the former
 *   bundles/   the scripts of pages, made once
 *   pages/     pages that come back while their product is as it was
 */
export const CLIENT = 'client';
export const SERVER = 'server';
export const BUNDLES = 'bundles';
export const PAGES = 'pages';
const DESCRIPTION = 'kept.json';

const Names = v.array(v.string());
const Style = v.object({
  depth: v.number(),
  order: v.number(),
  // Every sheet is inline: `build.inlineStylesheets` of astro.config.mjs.
  sheet: v.object({ type: v.literal('inline'), content: v.string() }),
});

const Kept = v.object({
  /** The style sheets of each page, by Astro's key of the page. */
  styles: v.array(v.tuple([v.string(), v.array(Style)])),
  /** Addresses of scripts that are loaded on demand, by source. */
  chunks: v.array(v.tuple([v.string(), Names])),
  graph: v.object({
    imports: v.array(v.tuple([v.string(), Names])),
    later: v.array(v.tuple([v.string(), Names])),
    stateful: v.array(v.tuple([v.string(), Names])),
  }),
  /** Where parts of content pages are, by their files of the compilation. */
  moved: v.array(v.tuple([v.string(), Place])),
  /** The script that answers when a file of a page of islands is gone. */
  guard: v.string(),
});

export type Kept = v.InferOutput<typeof Kept>;

export const descriptionFile = (folder: string): string => join(folder, DESCRIPTION);

export const readKept = (folder: string): Kept =>
  v.parse(Kept, JSON.parse(readFileSync(descriptionFile(folder), 'utf8')));

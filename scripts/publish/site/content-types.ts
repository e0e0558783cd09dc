import { extname } from 'node:path';
import { mimes } from 'hono/utils/mime';

const EXTENSIONS = [
  ...['html', 'css', 'js', 'mjs', 'json', 'webmanifest', 'map', 'xml', 'txt'],
  ...['svg', 'png', 'jpg', 'jpeg', 'webp', 'avif', 'gif', 'ico', 'woff2', 'pdf'],
] as const;

/** The content types of a site's files, keyed by extension such as `.html`: those that Hono's server sends. */
export const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  EXTENSIONS.map((extension) => [`.${extension}`, mimes[extension] ?? '']),
);

const COMPRESSIBLE = /^(text\/|application\/(json|xml|manifest\+json)|image\/svg)/;

export const isHtml = (file: string): boolean => file.endsWith('.html');

export const isCompressible = (file: string): boolean =>
  COMPRESSIBLE.test(TYPES[extname(file).toLowerCase()] ?? '');

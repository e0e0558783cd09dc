/** Not in CachedMarkup.astro, because its frontmatter runs again for every page. */
const cache = new Map<string, string>();

/** Returns undefined in development, so that the markup is always rendered again. */
export const cachedMarkup = (name: string): string | undefined =>
  import.meta.env.PROD ? cache.get(name) : undefined;

export function cacheMarkup(name: string, html: string): string {
  cache.set(name, html);
  return html;
}

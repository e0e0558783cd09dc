/** Apart from CachedMarkup.astro, whose frontmatter runs anew for every page. */
const cache = new Map<string, string>();

/** The markup cached under this name. During development there is none, so that it is always rendered anew. */
export const cachedMarkup = (name: string): string | undefined =>
  import.meta.env.PROD ? cache.get(name) : undefined;

export function cacheMarkup(name: string, html: string): string {
  cache.set(name, html);
  return html;
}

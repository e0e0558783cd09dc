/** Not in CachedMarkup.astro, because its frontmatter runs again for every page. */
const cache = new Map<string, string>();

/** In development the markup is always rendered again. */
export async function renderedOnce(name: string, render: () => Promise<string>): Promise<string> {
  const html = (import.meta.env.PROD && cache.get(name)) || (await render());
  cache.set(name, html);
  return html;
}

const made = new Map<string, string>();

/** The markup made before under this name, in a build; while developing it is made each time. */
export const cachedMarkup = (name: string): string | undefined =>
  import.meta.env.PROD ? made.get(name) : undefined;

export function cacheMarkup(name: string, html: string): string {
  made.set(name, html);
  return html;
}

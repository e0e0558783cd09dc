const STATUSES = [301, 302, 303, 307, 308] as const;

interface Redirect {
  readonly pattern: URLPattern;
  readonly target: string;
  readonly status: (typeof STATUSES)[number];
}

/** Reads the redirects of a `_redirects` file (`/from /to 301`). It ignores rewrites and conditions. */
export const parseRedirects = (text: string): Redirect[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [from = '', target = '', code = '301'] = line.trim().split(/\s+/);
    const status = STATUSES.find((known) => known === Number(code));
    if (!from.startsWith('/') || !target.startsWith('/') || status === undefined) return [];
    return [{ pattern: new URLPattern({ pathname: from }), target, status }];
  });

/** The redirect for a path (still percent-encoded); undefined if none matches or it would leave the site. */
export const redirectOf = (redirects: readonly Redirect[], pathname: string) => {
  for (const { pattern, target, status } of redirects) {
    const groups = pattern.exec({ pathname })?.pathname.groups;
    if (!groups) continue;
    // A `*` is group 0 of the pattern, and its name in a target is `:splat`.
    const filledIn = (name: string): string => groups[name === 'splat' ? '0' : name] ?? '';
    const location = target.replace(/:([A-Za-z]\w*)/g, (_, name: string) => filledIn(name));
    return /^\/(?![/\\])/.test(location) ? { location, status } : undefined;
  }
  return undefined;
};

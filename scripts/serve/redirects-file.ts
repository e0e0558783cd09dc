const STATUSES = [301, 302, 303, 307, 308] as const;

interface Redirect {
  readonly pattern: URLPattern;
  readonly target: string;
  readonly status: (typeof STATUSES)[number];
}

/** Reads the redirects of a `_redirects` file (`/from /to 301`); rewrites and conditions are left out. */
export const parseRedirects = (text: string): Redirect[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [from = '', target = '', code = '301'] = line.trim().split(/\s+/);
    const status = STATUSES.find((each) => each === Number(code));
    if (!from.startsWith('/') || !target.startsWith('/') || status === undefined) return [];
    return [{ pattern: new URLPattern({ pathname: from }), target, status }];
  });

/** Where a path (still percent-encoded) is sent; undefined where no redirect matches or it would leave the site. */
export const redirectOf = (redirects: readonly Redirect[], pathname: string) => {
  for (const { pattern, target, status } of redirects) {
    const groups = pattern.exec({ pathname })?.pathname.groups;
    if (!groups) continue;
    // A `*` is the group 0 of a pattern, and called `:splat` in a target.
    const filledIn = (name: string): string => groups[name === 'splat' ? '0' : name] ?? '';
    const location = target.replace(/:([A-Za-z]\w*)/g, (_, name: string) => filledIn(name));
    return /^\/(?![/\\])/.test(location) ? { location, status } : undefined;
  }
  return undefined;
};

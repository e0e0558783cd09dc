import { type PathPattern, pathPattern } from './path-pattern.ts';

export type Redirect = { matches: PathPattern; target: string; status: number };

const STATUSES = new Set([301, 302, 303, 307, 308]);

/** Reads the redirects of a `_redirects` file (`/from /to 301`); rewrites and conditions are left out. */
export const parseRedirects = (text: string): Redirect[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [from = '', target = '', code = '301'] = line.trim().split(/\s+/);
    const status = Number(code);
    if (!from.startsWith('/') || !target.startsWith('/') || !STATUSES.has(status)) return [];
    return [{ matches: pathPattern(from), target, status }];
  });

/** Where a path (still percent-encoded) is sent; undefined where no redirect matches or it would leave the site. */
export const redirectOf = (
  redirects: readonly Redirect[],
  path: string,
): { location: string; status: number } | undefined => {
  for (const { matches, target, status } of redirects) {
    const values = matches(path);
    if (!values) continue;
    const location = target.replace(/:([A-Za-z]\w*)/g, (_, name: string) => values[name] ?? '');
    if (!/^\/(?![/\\])/.test(location)) return undefined;
    return { location, status };
  }
  return undefined;
};

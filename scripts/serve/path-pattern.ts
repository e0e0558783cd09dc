/** A path of `_headers` or `_redirects`: `*` stands for any rest, `:name` for one segment. */
export type PathPattern = (path: string) => Record<string, string> | undefined;

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Matches a whole path and gives what its placeholders stand for (`splat` for `*`); undefined when it does not match. */
export const pathPattern = (pattern: string): PathPattern => {
  const source = pattern
    .split(/(\*|:[A-Za-z]\w*)/)
    .map((part) => {
      if (part === '*') return '(?<splat>.*)';
      return part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : literal(part);
    })
    .join('');
  const matcher = new RegExp(`^${source}$`);
  return (path) => {
    const match = matcher.exec(path);
    return match ? { ...match.groups } : undefined;
  };
};

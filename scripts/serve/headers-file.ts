import { type PathPattern, pathPattern } from './path-pattern.ts';

export type HeaderRule = { matches: PathPattern; set: [name: string, value: string][]; drop: string[] };

/**
 * Reads a `_headers` file as Netlify and Cloudflare Pages do: a path, then indented `Name: value` lines;
 * `! Name` takes a header of an earlier rule away. Lines that are neither are ignored.
 */
export const parseHeaders = (text: string): HeaderRule[] => {
  const rules: HeaderRule[] = [];
  for (const line of text.split(/\r?\n/)) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    if (!/^\s/.test(line)) {
      rules.push({ matches: pathPattern(content), set: [], drop: [] });
      continue;
    }
    const rule = rules.at(-1);
    if (content.startsWith('!')) rule?.drop.push(content.slice(1).trim().toLowerCase());
    const colon = content.indexOf(':');
    if (colon > 0)
      rule?.set.push([content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()]);
  }
  return rules;
};

/** The headers that the rules give a path; two rules' values of one header are joined by a comma. */
export const headersFor = (rules: readonly HeaderRule[], path: string): Map<string, string> => {
  const headers = new Map<string, string>();
  for (const { matches, set, drop } of rules) {
    if (!matches(path)) continue;
    for (const name of drop) headers.delete(name);
    for (const [name, value] of set) {
      const before = headers.get(name);
      headers.set(name, before === undefined ? value : `${before}, ${value}`);
    }
  }
  return headers;
};

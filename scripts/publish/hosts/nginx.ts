import { readFileSync } from 'node:fs';
import { RETURN_PATHS } from '#page-table.ts';
import { type Hosting, patternOf, queryPatternOf, TYPES } from '#scripts/publish/site/hosting.ts';

/** Returns a configuration file of this folder, in which each `%name%` stands for a value. */
export const fill = (file: string, values: Readonly<Record<string, string>>): string =>
  readFileSync(new URL(file, import.meta.url), 'utf8').replace(/%(\w+)%/g, (_, name) => values[name] ?? '');

/** Quotes a value as nginx and Caddy do. */
export const quote = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

const variable = (name: string): string => `$shop_${name.toLowerCase().replaceAll('-', '_')}`;

/** Returns the key of files in a map. A missing asset matches no key, so it is not cached for a year. */
const keyOf = (files: string): string =>
  files.endsWith('*') ? `"~^/${files.slice(0, -1).replaceAll('.', String.raw`\.`)}"` : `/${files}`;

/** Returns the values of each header that differs between files, keyed by name. */
function headersByName({ rules }: Hosting) {
  const values = rules.flatMap(({ files, headers }) =>
    Object.entries(headers).flatMap(([name, value]) => files.map((file) => ({ name, file, value }))),
  );
  return Map.groupBy(values, ({ name }) => name);
}

/** Returns the text for the `http` block. */
export function nginxHttp(hosting: Hosting): string {
  const maps = [...headersByName(hosting)].map(([name, entries]) =>
    [
      `map $shop_file ${variable(name)} {`,
      `  default "${name === 'Cache-Control' ? 'no-cache' : ''}";`,
      ...entries.map(({ file, value }) => `  ${keyOf(file)} ${quote(value)};`),
      '}',
    ].join('\n'),
  );
  const available = (hosting.available ?? 'none').replaceAll('+', String.raw`\+`);
  return fill('nginx-http.conf', { available, headers: maps.join('\n\n') });
}

const types = Object.entries(TYPES).map(
  ([extension, type]) =>
    `  ${type.replace(/;.*/, '')} ${extension.slice(1)}${extension === '.html' ? ' dcz' : ''};`,
);

const FILES =
  'try_files $uri$shop_suffix $uri.html$shop_suffix $uri/index.html$shop_suffix $uri $uri.html $uri/index.html =404;';

/**
 * Returns the text for the `server` block.
 * @param live the site's folder through the link to the live release
 */
export function nginxServer(hosting: Hosting, site: string, live: string): string {
  const headers = [
    ...Object.entries(hosting.everywhere).map(([name, value]) => [name, quote(value)]),
    ...[...headersByName(hosting).keys()].map((name) => [name, variable(name)]),
  ].map(([name, value]) => `add_header ${name} ${value} always;`);
  const returns = RETURN_PATHS.map(
    (path) =>
      `location = ${path} { if ($request_method = POST) { return 303 ${path}$is_args$args; } ${FILES} }`,
  );
  const byFrom = Map.groupBy(hosting.redirects, (redirect) => patternOf(redirect));
  const redirects = [...byFrom].map(([from, targets]) => {
    // The pattern allows only the characters of ids: a decoded line break in `Location` would start a new header.
    const rules = targets.map(({ query, to }) =>
      query === undefined
        ? `return 301 ${to.replace(/:\w+/, '$1')}$is_args$args;`
        : `if ($args ~* ${quote(queryPatternOf(query))}) { return 301 ${to}; }`,
    );
    return `location ~ ${from} { ${rules.join(' ')} ${FILES} }`;
  });
  return fill('nginx-server.conf', {
    site,
    live,
    types: types.join('\n'),
    headers: headers.join('\n'),
    redirects: [...returns, ...redirects].join('\n'),
    files: FILES,
  });
}

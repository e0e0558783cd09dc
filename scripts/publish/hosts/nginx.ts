import { RETURN_PATHS } from '#page-table.ts';
import {
  ASSETS,
  DICTIONARY,
  type Hosting,
  isCompressible,
  patternOf,
  queryPatternOf,
  TYPES,
} from '#scripts/publish/site/hosting.ts';

/** Caddy quotes as nginx does. */
export const quote = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const variable = (name: string): string => `$shop_${name.toLowerCase().replaceAll('-', '_')}`;

/**
 * Returns the key of files in a map. It is matched with the plain name of the served file, because `$uri` may
 * already be the name of a compressed form. A missing asset matches no key, so it is not cached for a year.
 */
const keyOf = (files: string): string =>
  files.endsWith('*') ? `"~^/${escapeRegex(files.slice(0, -1))}"` : `/${files}`;

const DEFAULTS: Readonly<Record<string, string>> = { 'Cache-Control': 'no-cache' };

type Entries = readonly (readonly [key: string, value: string])[];

const map = (source: string, variable: string, entries: Entries, otherwise = ''): string =>
  [
    `map ${source} ${variable} {`,
    `  default ${quote(otherwise)};`,
    ...entries.map(([key, value]) => `  ${key} ${quote(value)};`),
    '}',
  ].join('\n');

const compressible = Object.keys(TYPES)
  .filter((extension) => isCompressible(`file${extension}`))
  .map((extension) => extension.slice(1))
  .join('|');

/**
 * Chooses the form of a file beside those of gzip_static and brotli_static. Browsers that hold the release's dictionary
 * get the `.dcz` form of a page. The dictionary itself is sent as brotli even without nginx's brotli module: gzip looks
 * back only 32 KiB and would make it twice as long.
 */
function formMaps({ available }: Hosting): string[] {
  const holder = `"~^${escapeRegex(available ?? '')} (?:.*[,\\s])?dcz\\s*(?:,|$)"`;
  const dictionary = `/${escapeRegex(DICTIONARY)}`;
  return [
    map(
      '$uri',
      variable('file'),
      [
        ['"~^(?<shop_page_file>.+)\\.dcz$"', '$shop_page_file'],
        [`"~^(?<shop_dictionary>${dictionary}.+)\\.br$"`, '$shop_dictionary'],
      ],
      '$uri',
    ),
    map('$http_accept_encoding', variable('brotli'), [['"~(?:^|[,\\s])br\\s*(?:,|$)"', '.br']]),
    map(
      '"$http_available_dictionary $http_accept_encoding"',
      variable('form'),
      available === undefined ? [] : [[holder, '.dcz']],
    ),
    map('$uri', variable('encoding'), [
      ['"~\\.dcz$"', 'dcz'],
      [`"~^${dictionary}.+\\.br$"`, 'br'],
    ]),
    map(variable('file'), variable('vary'), [
      ['"~\\.html$"', 'Accept-Encoding, Available-Dictionary'],
      [`"~\\.(?:${compressible})$"`, 'Accept-Encoding'],
    ]),
  ];
}

const types = Object.entries(TYPES)
  .map(
    ([extension, type]) =>
      `  ${type.replace(/;.*/, '')} ${extension.slice(1)}${extension === '.html' ? ' dcz' : ''};`,
  )
  .join('\n');

/** Returns the text for the `http` block: maps from each file to its headers. */
export function nginxHttp(hosting: Hosting): string {
  const maps = [...headersByName(hosting)].map(([name, entries]) => {
    const byFile = entries.map(({ file, value }) => [keyOf(file), value] as const);
    return map(variable('file'), variable(name), byFile, DEFAULTS[name]);
  });
  return `${[...formMaps(hosting), ...maps].join('\n\n')}\n`;
}

/**
 * Returns the text for the `server` block: the folder of the site, and how an address finds its file.
 * @param live the site's folder through the link to the live release
 */
export function nginxServer(hosting: Hosting, site: string, live: string): string {
  const headers = [
    ...Object.entries(hosting.everywhere).map(
      ([name, value]) => `add_header ${name} ${quote(value)} always;`,
    ),
    ...[...headersByName(hosting).keys()].map((name) => `add_header ${name} ${variable(name)} always;`),
    `add_header Content-Encoding ${variable('encoding')} always;`,
    `add_header Vary ${variable('vary')} always;`,
  ];
  // The pattern allows only the characters of ids: a decoded line break in `Location` would start a new header.
  const form = variable('form');
  const files = `try_files $uri${form} $uri.html${form} $uri/index.html${form} $uri $uri.html $uri/index.html =404;`;
  const byFrom = Map.groupBy(hosting.redirects, (redirect) => patternOf(redirect));
  const redirects = [...byFrom].map(([from, targets]) => {
    const rules = targets.map(({ query, to }) =>
      query === undefined
        ? `return 301 ${to.replace(/:\w+/, '$1')}$is_args$args;`
        : `if ($args ~* ${quote(queryPatternOf(query))}) { return 301 ${to}; }`,
    );
    return `location ~ ${from} { ${rules.join(' ')} ${files} }`;
  });
  const returns = RETURN_PATHS.map(
    (path) =>
      `location = ${path} { if ($request_method = POST) { return 303 ${path}$is_args$args; } ${files} }`,
  );
  return `root ${quote(site)};
server_tokens off;
charset utf-8;
charset_types text/css text/javascript text/plain application/xml image/svg+xml;
types {
${types}
}
default_type application/octet-stream;
gzip_static on;
# brotli_static on;  # with the package libnginx-mod-http-brotli-static

${headers.join('\n')}

error_page 404 /404.html;
location = / { try_files /index.html${form} /index.html =404; }
location = /_headers { return 404; }
location = /_redirects { return 404; }
location ~ \\.dcz$ { return 404; }
# A missing asset must not be answered with HTML, which would fail as a script and be cached.
# Assets come from the live release, which has those of the others too: while nginx reloads, a new worker may send a page
# of the new release, and an old worker get the request for its asset.
location ^~ /${ASSETS} { root ${quote(live)}; try_files $uri /missing-asset; }
location ^~ /${DICTIONARY} {
  root ${quote(live)};
  types {}
  default_type text/plain;
  try_files $uri${variable('brotli')} $uri /missing-asset;
}
location = /missing-asset { internal; default_type text/plain; return 404 "Not found\\n"; }
${[...returns, ...redirects].join('\n')}
location ~ ^(?<shop_page>/[\\w.~/-]*[\\w.~-])/+$ {
  if (-f $document_root$shop_page.html) { return 301 $shop_page$is_args$args; }
  return 404;
}
location / { ${files} }
`;
}

/** Returns the values of each header that differs between files, keyed by name. */
function headersByName({ rules }: Hosting) {
  const values = rules.flatMap(({ files, headers }) =>
    Object.entries(headers).flatMap(([name, value]) => files.map((file) => ({ name, file, value }))),
  );
  return Map.groupBy(values, ({ name }) => name);
}

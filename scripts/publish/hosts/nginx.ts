import { createHash } from 'node:crypto';
import { ASSETS, type Hosting } from '#scripts/publish/hosting.ts';
import { TYPES } from '#scripts/serve/content-types.ts';
import { headersByName } from './headers-by-name.ts';

const quote = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Names the variables of one set of headers. nginx reads the two files one after the other, and `current` may switch in
 * between: it then knows no such variable, and stays as it was until the next reload, instead of mixing two releases.
 */
const variablesOf = (hosting: Hosting) => {
  const headers = JSON.stringify([...headersByName(hosting)]);
  const version = createHash('sha256').update(headers).digest('hex').slice(0, 8);
  return (name: string): string => `$shop_${name.toLowerCase().replaceAll('-', '_')}_${version}`;
};

/** `$uri` is by then the file that is served. A missing asset is not kept for a year. */
const keyOf = (files: string): string =>
  files.endsWith('*') ? `"~^/${escapeRegex(files.slice(0, -1))}"` : `/${files}`;

/** Of files that no rule names. */
const DEFAULTS: Readonly<Record<string, string>> = { 'Cache-Control': 'no-cache' };

const map = (variable: string, name: string, entries: readonly (readonly [string, string])[]): string =>
  [
    `map $uri ${variable} {`,
    `  default "${DEFAULTS[name] ?? ''}";`,
    ...entries.map(([files, value]) => `  ${keyOf(files)} ${quote(value)};`),
    '}',
  ].join('\n');

const types = (): string => {
  const byType = new Map<string, string[]>();
  for (const [extension, type] of Object.entries(TYPES)) {
    const bare = type.replace(/;.*/, '');
    byType.set(bare, [...(byType.get(bare) ?? []), extension.slice(1)]);
  }
  return [...byType].map(([type, extensions]) => `  ${type} ${extensions.join(' ')};`).join('\n');
};

/** For the `http` block: what each file is sent with. */
export function nginxHttp(hosting: Hosting): string {
  const variable = variablesOf(hosting);
  const maps = [...headersByName(hosting)].map(([name, entries]) => map(variable(name), name, entries));
  return `${maps.join('\n\n')}\n`;
}

/**
 * For the `server` block: where the site lies and how an address finds its file (resolutions 2).
 * @param live the same folder through the link to whatever release is live
 */
export function nginxServer(hosting: Hosting, site: string, live: string): string {
  const variable = variablesOf(hosting);
  const headers = [
    ...Object.entries(hosting.everywhere).map(
      ([name, value]) => `add_header ${name} ${quote(value)} always;`,
    ),
    ...[...headersByName(hosting).keys()].map((name) => `add_header ${name} ${variable(name)} always;`),
  ];
  const redirects = hosting.redirects.map(({ from, to, status }) => {
    // Only what an id may hold: a decoded line break in a Location would be a header of its own.
    const pattern = from.replace(/:\w+/, '([\\w.~-]+)');
    return `location ~ ^${pattern}$ { return ${status} ${to.replace(/:\w+/, '$1')}$is_args$args; }`;
  });
  return `root ${quote(site)};
server_tokens off;
charset utf-8;
charset_types text/html text/css text/javascript text/plain application/json application/xml application/manifest+json;
types {
${types()}
}
default_type application/octet-stream;
gzip_static on;
gzip_vary on;
# brotli_static on;  # with the package libnginx-mod-http-brotli-static

${headers.join('\n')}

error_page 404 /404.html;
location = / { try_files /index.html =404; }
location = /_headers { return 404; }
location = /_redirects { return 404; }
# A missing asset answered with HTML would fail as a script, and be kept.
# Of the live release, which has those of the others too: while nginx reloads, a page of the new one may have come from
# a new worker, and its asset be asked of an old one.
location ^~ /${ASSETS} { root ${quote(live)}; try_files $uri /missing-asset; }
location = /missing-asset { internal; default_type text/plain; return 404 "Not found\\n"; }
${redirects.join('\n')}
location ~ ^(?<shop_page>/[\\w.~/-]*[\\w.~-])/+$ {
  if (-f $document_root$shop_page.html) { return 301 $shop_page$is_args$args; }
  return 404;
}
location / { try_files $uri $uri.html $uri/index.html =404; }
`;
}

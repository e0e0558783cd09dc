import { RETURN_PATHS } from '#page-table.ts';
import {
  type Headers,
  type Hosting,
  patternOf,
  queryPatternOf,
  TYPES,
} from '#scripts/publish/site/hosting.ts';
import { fill, quote } from './nginx.ts';

const setHeaders = (matcher: string, headers: Headers): string =>
  [
    `header ${matcher} {`,
    ...Object.entries(headers).map(([name, value]) => `\t${name} ${quote(value)}`),
    '}',
  ].join('\n');

const types = Object.entries(TYPES).map(([extension, type]) => {
  const name = `@type_${extension.slice(1)}`;
  return `${name} path *${extension}\nheader ${name} Content-Type ${quote(type)}`;
});

/** A matcher with a name, and the redirect for it, which keeps the query. */
const redirect = (name: string, matcher: string, to: string, status: number): string => `@${name} ${matcher}
route @${name} {
	redir @shop_query ${to}?{query} ${status}
	redir * ${to} ${status}
}`;

/** Returns the text to import into a site block. */
export function caddySite(hosting: Hosting, site: string): string {
  const returns = RETURN_PATHS.map((path, index) =>
    redirect(`shop_return_${index}`, `{\n\tmethod POST\n\tpath ${path}\n}`, path, 303),
  );
  const moved = hosting.redirects.map((each, index) => {
    const name = `shop_moved_${index}`;
    const { from, query, to } = each;
    if (query === undefined) {
      const target = to.replace(/:\w+/, `{re.${name}.1}`);
      return redirect(name, `path_regexp ${name} ${patternOf(each)}`, target, 301);
    }
    const pattern = `vars_regexp {http.request.uri.query} (?i)${queryPatternOf(query)}`;
    return `@${name} {\n\tpath ${from}\n\t${pattern}\n}\nredir @${name} ${to} 301`;
  });
  const pages = hosting.rules
    .filter(({ files }) => files.length > 0)
    .map(({ files, headers }, index) => {
      const paths = files.map((file) => `/${file}`).join(' ');
      return `@shop_${index} path ${paths}\n${setHeaders(`@shop_${index}`, headers)}`;
    });
  return fill('site.Caddyfile', {
    site,
    everywhere: setHeaders('', { 'Cache-Control': 'no-cache', ...hosting.everywhere }),
    redirects: [...returns, ...moved].join('\n'),
    types: types.join('\n'),
    pages: pages.join('\n'),
    available: hosting.available ?? 'none',
    notFound: setHeaders('', hosting.notFound),
  });
}

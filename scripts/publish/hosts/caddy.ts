import { RETURN_PATHS } from '#page-table.ts';
import {
  ASSETS,
  type Headers,
  type Hosting,
  patternOf,
  queryPatternOf,
  TYPES,
} from '#scripts/publish/site/hosting.ts';
import { quote } from './nginx.ts';

const indent = (text: string): string => text.replace(/^(?=.)/gm, '\t');

const setHeaders = (matcher: string, headers: Headers): string =>
  [
    `header ${matcher}{`,
    ...Object.entries(headers).map(([name, value]) => `\t${name} ${quote(value)}`),
    '}',
  ].join('\n');

const contentTypes = Object.entries(TYPES)
  .map(([extension, type]) => {
    const name = `@type_${extension.slice(1)}`;
    return `${name} path *${extension}\nheader ${name} Content-Type ${quote(type)}`;
  })
  .join('\n');

/** Redirects with the query, if there is one. Caddy 2.6 has no placeholder for `?` and query together. */
const redirect = (to: string, status: number): string =>
  `redir @shop_query ${to}?{query} ${status}\nredir * ${to} ${status}`;

const returnRules = RETURN_PATHS.map(
  (path, index) => `@shop_return_${index} {
	method POST
	path ${path}
}
route @shop_return_${index} {\n${indent(redirect(path, 303))}\n}`,
);

function pageRules({ rules }: Hosting): string {
  return rules
    .filter(({ files }) => files.length > 0)
    .map(({ files, headers }, index) => {
      const paths = files.map((file) => `/${file}`).join(' ');
      return `@shop_${index} path ${paths}\n${setHeaders(`@shop_${index} `, headers)}`;
    })
    .join('\n');
}

/** Replaces the `Vary` of Caddy's file server, which comes later and only with some forms. */
const VARY = '{\n\tVary "Accept-Encoding, Available-Dictionary"\n\tdefer\n}';

/** Caddy also serves the file for `/_headers/.` and `/\_headers`. */
const HIDDEN = String.raw`(?:^/+_(?:headers|redirects)|\.dcz)(?:/|$)|\\`;

/** Sends the form that is compressed with the release's dictionary to browsers that hold it. */
const formRule = (available: string): string => `@shop_form {
	path *.html
	header Available-Dictionary ${quote(available)}
	header_regexp Accept-Encoding (?:^|[,\\s])dcz\\s*(?:,|$)
	file {path}.dcz
}
route @shop_form {
	header Content-Encoding dcz
	rewrite * {path}.dcz
}`;

/** Returns the text to import into a site block: root, headers, redirects and 404 page. */
export function caddySite(hosting: Hosting, site: string): string {
  const redirects = hosting.redirects.map((moved, index) => {
    const name = `shop_moved_${index}`;
    const { from, query, to } = moved;
    if (query !== undefined)
      return `@${name} {
	path ${from}
	vars_regexp {http.request.uri.query} (?i)${queryPatternOf(query)}
}
redir @${name} ${to} 301`;
    const target = to.replace(/:\w+/, `{re.${name}.1}`);
    return `@${name} path_regexp ${name} ${patternOf(moved)}
route @${name} {\n${indent(redirect(target, 301))}\n}`;
  });
  // A block with a deletion runs at the end of the response, where it would undo the rules. So `-Server` is
  // separate.
  const everywhere = `header -Server\n${setHeaders('', { 'Cache-Control': 'no-cache', ...hosting.everywhere })}`;
  return `root * ${quote(site)}
${everywhere}
route {
	@shop_hidden path_regexp ${HIDDEN}
	error @shop_hidden 404
	@shop_query expression {http.request.uri.query} != ""
${indent([...returnRules, ...redirects].join('\n'))}
	@shop_slash path_regexp shop_slash ^(/[\\w.~-]+(?:/[\\w.~-]+)*)/+$
	route @shop_slash {
		@shop_page file {re.shop_slash.1}.html
		route @shop_page {
${indent(indent(indent(redirect('{re.shop_slash.1}', 301))))}
		}
	}
	try_files {path} {path}.html {path}/index.html
${indent(contentTypes)}
${indent(pageRules(hosting))}
${indent(`header @type_html ${VARY}`)}
${hosting.available === undefined ? '' : indent(formRule(hosting.available))}
	file_server {
		hide _headers _redirects
		precompressed br gzip
	}
}
handle_errors {
	route {
		@shop_asset path /${ASSETS}*
${indent(indent(everywhere))}
		handle @shop_asset {
			header Content-Type "text/plain; charset=utf-8"
			respond "Not found" {err.status_code}
		}
		handle {
			rewrite * /404.html
			header Content-Type "text/html; charset=utf-8"
${indent(indent(indent(`header ${VARY}`)))}
${indent(indent(indent(setHeaders('', hosting.notFound))))}
			file_server {
				precompressed br gzip
				status {err.status_code}
			}
		}
	}
}
`;
}

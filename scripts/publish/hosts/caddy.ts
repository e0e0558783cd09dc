import { ASSETS, type Headers, type Hosting } from '#scripts/publish/hosting.ts';
import { TYPES } from '#scripts/serve/content-types.ts';

const quote = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

const indent = (text: string): string => text.replace(/^(?=.)/gm, '\t');

const setHeaders = (matcher: string, headers: Headers): string =>
  [
    `header ${matcher}{`,
    ...Object.entries(headers).map(([name, value]) => `\t${name} ${quote(value)}`),
    '}',
  ].join('\n');

/** What Caddy may not know by itself. */
const typed = ['.webmanifest', '.avif', '.mjs', '.js', '.xml', '.txt', '.html', '.css', '.json'];

const contentTypes = (): string =>
  typed
    .map((extension) => {
      const name = `@type_${extension.slice(1)}`;
      return `${name} path *${extension}\nheader ${name} Content-Type ${quote(TYPES[extension] ?? '')}`;
    })
    .join('\n');

/** With the query where there is one; Caddy 2.6 has no placeholder for both. */
const redirect = (to: string, status: number): string =>
  `redir @shop_query ${to}?{query} ${status}\nredir * ${to} ${status}`;

function pageRules({ rules, notFound }: Hosting): string {
  return [...rules, { files: ['404.html'], headers: notFound }]
    .filter(({ files }) => files.length > 0)
    .map(({ files, headers }, index) => {
      const paths = files.map((file) => `/${file}`).join(' ');
      return `@shop_${index} path ${paths}\n${setHeaders(`@shop_${index} `, headers)}`;
    })
    .join('\n');
}

/** In place of the file server's own, which is added later and to some forms alone. */
const VARY = '{\n\tVary "Accept-Encoding, Available-Dictionary"\n\tdefer\n}';

/** For a browser that holds the release's dictionary: the form of a page that is compressed with it. */
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

/** To be imported into a site's block: a site, its headers, redirects and 404 page. */
export function caddySite(hosting: Hosting, site: string): string {
  const redirects = hosting.redirects.map(({ from, to, status }, index) => {
    const name = `shop_moved_${index}`;
    const target = to.replace(/:\w+/, `{re.${name}.1}`);
    return `@${name} path_regexp ${name} ^${from.replace(/:\w+/, '([\\w.~-]+)')}$
route @${name} {\n${indent(redirect(target, status))}\n}`;
  });
  // A deletion makes its whole block wait for the end, where it would undo the rules: a line of its own.
  const everywhere = `header -Server\n${setHeaders('', { 'Cache-Control': 'no-cache', ...hosting.everywhere })}`;
  return `root * ${quote(site)}
${everywhere}
route {
	@shop_hidden path /_headers /_redirects *.dcz
	error @shop_hidden 404
	@shop_query expression {http.request.uri.query} != ""
${indent(redirects.join('\n'))}
	@shop_slash path_regexp shop_slash ^(/[\\w.~-]+(?:/[\\w.~-]+)*)/+$
	route @shop_slash {
		@shop_page file {re.shop_slash.1}.html
		route @shop_page {
${indent(indent(indent(redirect('{re.shop_slash.1}', 301))))}
		}
	}
	try_files {path} {path}.html {path}/index.html
${indent(contentTypes())}
${indent(pageRules(hosting))}
${indent(`header @type_html ${VARY}`)}
${hosting.available === undefined ? '' : indent(formRule(hosting.available))}
	file_server {
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

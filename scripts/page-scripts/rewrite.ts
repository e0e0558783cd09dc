import { basename } from 'node:path';

/** What a page loads at once, by file names in the assets folder. */
export interface PageScripts {
  readonly scripts: readonly string[];
  readonly islands: readonly string[];
}

const MODULE_SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g;
const ISLAND_FILE = /<astro-island\b[^>]*?\b(?:component|renderer)-url="([^"]+)"/g;
const RENDERER_FILE = /<astro-island\b[^>]*?\brenderer-url="([^"]+)"/g;

const all = (html: string, pattern: RegExp): string[] => [
  ...new Set([...html.matchAll(pattern)].map(([, address]) => basename(address ?? ''))),
];

export const scriptsOf = (html: string): PageScripts => ({
  scripts: all(html, MODULE_SCRIPT),
  islands: [...new Set([...all(html, ISLAND_FILE), ...all(html, RENDERER_FILE)])],
});

/** The page with one inline script at the end of its body in place of its module scripts. */
export const withInlineScript = (html: string, code: string): string =>
  html
    .replace(MODULE_SCRIPT, '')
    .replace(/<\/body>(?![\s\S]*<\/body>)/, () => `<script type="module">${code}</script></body>`);

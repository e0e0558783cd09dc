import { basename } from 'node:path';

const OPENING = '<script type="module" src="';
const CLOSING = '"></script>';
const BODY_END = '</body>';

export interface WithoutScripts {
  /** The page without its module scripts. */
  readonly html: string;
  /** Their file names in the assets folder, in the page's order, each once. */
  readonly scripts: readonly string[];
}

export function takeModuleScripts(html: string): WithoutScripts {
  const pieces: string[] = [];
  const scripts = new Set<string>();
  let end = 0;
  for (let start = html.indexOf(OPENING); start !== -1; start = html.indexOf(OPENING, end)) {
    const last = html.indexOf(CLOSING, start);
    scripts.add(basename(html.slice(start + OPENING.length, last)));
    pieces.push(html.slice(end, start));
    end = last + CLOSING.length;
  }
  return { html: pieces.join('') + html.slice(end), scripts: [...scripts] };
}

export function atEndOfBody(html: string, text: string): string {
  const end = html.lastIndexOf(BODY_END);
  return end === -1 ? html + text : html.slice(0, end) + text + html.slice(end);
}

import { readFileSync } from 'node:fs';

export const WEB = ['caddy', 'nginx'] as const;
export const DATABASES = ['sqlite', 'postgres'] as const;
export interface Choice {
  readonly web: (typeof WEB)[number];
  readonly database: (typeof DATABASES)[number];
}

/** A fenced block of a shell. A word after the language names the choice that it belongs to. */
const BLOCK = /^```sh(?: (\w+))?\n([\s\S]*?)^```$/gm;

/**
 * The commands of a page, in order, each with the heading that it stands under.
 * @param choice what blocks with a word are taken for
 */
export function commandsOf(page: string, { web, database }: Choice): { heading: string; command: string }[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(BLOCK)]
    .filter(([, word]) => word === undefined || word === web || word === database)
    .flatMap(({ 2: lines = '', index }) => {
      const heading =
        text
          .slice(0, index)
          .match(/^## .*$/gm)
          ?.at(-1) ?? '';
      return lines
        .trim()
        .split('\n')
        .map((command) => ({ heading: heading.slice(3), command }));
    });
}

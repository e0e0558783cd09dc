import * as v from 'valibot';
import type { Setting } from '#scripts/program/setting.ts';
import { SETTING_GROUPS } from './table.ts';

const HEAD = `The settings of the shop, for all its programs: the API, the watcher, releases, builds, backups and the
commands. They read the file that the variable SHOP_ENV names, or .env in this project. A variable of the
environment counts more than the file. \`npm run doctor\` shows what is set, and what is still missing.

Copy it, and make it readable for the users of the shop alone: it has passwords. The values are those of a shop on one
machine, whose names are shop.example and api.shop.example. What has a # before it is not set; it shows the default,
or an example. A value with other signs than letters, digits and ./:,@%+=- must stand in quotes.`;

const WIDTH = 118;

/** Breaks a text into lines of a comment. */
function comment(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines.push(`${lines.pop()} ${word}`);
    else lines.push(`# ${word}`);
  }
  return lines;
}

/** Quotes a value in which a shell would see more than a text. */
const quoted = (value: string): string => (/^[\w./:,@%+=-]*$/.test(value) ? value : `"${value}"`);

/** The default as it would stand in the file; undefined where there is none. */
const defaultOf = ({ schema }: Setting): unknown => ('default' in schema ? schema.default : undefined);

function linesOf([name, row]: readonly [string, Setting]): string[] {
  const value = row.example ?? v.parse(v.optional(v.string(), ''), defaultOf(row));
  return [...comment(row.meaning), `${row.isUsual ? '' : '#'}${name}=${quoted(value)}`, ''];
}

/** The text of shop.env.example. */
export function exampleSettings(): string {
  const seen = new Set<string>();
  const groups = SETTING_GROUPS.map(({ name, rows }) => {
    const own = Object.entries(rows).filter(([variable]) => !seen.has(variable));
    for (const [variable] of own) seen.add(variable);
    return [`### ${name}`, '', ...own.flatMap(linesOf)];
  });
  const head = HEAD.split('\n').map((line) => `# ${line}`.trimEnd());
  return `${[...head, '', ...groups.flat()].join('\n').trimEnd()}\n`;
}

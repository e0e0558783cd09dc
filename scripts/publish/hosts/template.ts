import { readFileSync } from 'node:fs';

/** Returns a configuration file of this folder, in which each `%name%` stands for a value. */
export const fill = (file: string, values: Readonly<Record<string, string>>): string =>
  readFileSync(new URL(file, import.meta.url), 'utf8').replace(/%(\w+)%/g, (_, name) => values[name] ?? '');

/** Quotes a value as nginx and Caddy do. */
export const quote = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

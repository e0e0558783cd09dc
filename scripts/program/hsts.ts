import * as v from 'valibot';
import { type Setting, text } from './setting.ts';

/** The header Strict-Transport-Security, of the site and of the API. */
export const HSTS = {
  schema: v.pipe(
    text('max-age=15768000'),
    v.regex(
      /^(off|max-age=\d{1,9}(; includeSubDomains)?(; preload)?)$/,
      'must be off, or as max-age=15768000; includeSubDomains',
    ),
  ),
  meaning:
    'The header Strict-Transport-Security of the site and of the API: for how many seconds a browser that has seen it opens that name by https alone. Nobody can take it back before. With includeSubDomains it holds for every name under the address, other programs of yours there too. off: none.',
} satisfies Setting;

/** What is sent at an address; undefined for none, as of a shop on somebody's own computer. */
export const hstsAt = (address: string, value: string): string | undefined =>
  value === 'off' || !address.startsWith('https:') ? undefined : value;

import { createHash } from 'node:crypto';
import type { OfferName } from '#domain/offers.ts';
import { codeHash } from '#scripts/build/code-hash.ts';

export interface SiteParts {
  /** The build's settings, from `siteSettings`. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** The version of the API's catalogue, which changes with its pictures, too. */
  readonly version: string | undefined;
  readonly offers: readonly OfferName[];
}

/** A hash that changes whenever the built site may change: with the code, a build setting, the catalogue or what the API offers. */
export const siteKey = ({ settings, version, offers }: SiteParts): string =>
  createHash('sha256')
    .update(codeHash(settings))
    .update(JSON.stringify([settings, version, offers]))
    .digest('hex');

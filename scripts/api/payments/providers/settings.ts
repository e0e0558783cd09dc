import * as v from 'valibot';
import { withoutEndSlashes } from '#domain/url.ts';

export const key = v.pipe(v.string('is missing'), v.trim(), v.minLength(8, 'must be the whole key'));

const isAllowed = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  );
};

/** Where a provider's API is: its own address, or a fake on this computer. */
export const providerAddress = (own: string) =>
  v.pipe(
    v.optional(v.string(), own),
    v.check(isAllowed, 'must be https, or an address of this computer'),
    v.transform(withoutEndSlashes),
  );

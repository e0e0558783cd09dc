import { parseUrl } from './url.ts';

/** Returns the picture address that the server gave if it is http or https, else ''. */
export function safeImage(address: unknown): string {
  if (typeof address !== 'string' || address.length > 2_048) return '';
  const url = parseUrl(address.trim());
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? address.trim() : '';
}

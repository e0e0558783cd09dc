/** Returns the address if it is http or https, else ''. */
export function safeImage(address: unknown): string {
  if (typeof address !== 'string' || address.length > 2_048) return '';
  const url = parseUrl(address.trim());
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? address.trim() : '';
}

export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** Removes lone surrogates, on which `encodeURIComponent` throws. */
export const encodePart = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, ''));

/** Removes trailing slashes. A regular expression would take quadratic time. */
export function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

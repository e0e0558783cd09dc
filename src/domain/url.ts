/** Returns the picture address that the server gave if it is http or https, else ''. */
export function safeImage(address: unknown): string {
  if (typeof address !== 'string' || address.length > 2_048) return '';
  const url = parseUrl(address.trim());
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? address.trim() : '';
}

/** Parses an address by the URL standard. Returns undefined for an invalid one. */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** Encodes a text for an address. Removes lone surrogates, at which `encodeURIComponent` throws. */
export const encodePart = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, ''));

/** Removes the slashes at the end. A pattern would try each of a row of slashes anew. */
export function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

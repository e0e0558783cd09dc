/** An address as the URL standard reads it, or nothing. */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** A text as a part of an address. Half a character, which `encodeURIComponent` throws at, is left out. */
export const encodePart = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, ''));

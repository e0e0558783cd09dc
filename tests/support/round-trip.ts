import type { Response } from 'playwright';

/** Bytes of ten TCP segments, which a server sends before it waits for an answer (RFC 6928). */
export const FIRST_WINDOW = 10 * 1_460;

/** Bytes of a page as it was sent, its headers included. @throws where nothing was */
export async function sentBytes(response: Response | null): Promise<number> {
  if (!response) throw new Error('The page was not sent.');
  const { responseHeadersSize, responseBodySize } = await response.request().sizes();
  return responseHeadersSize + responseBodySize;
}

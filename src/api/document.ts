const TIMEOUT_MS = 10_000;

/**
 * Fetches a page of this site as a document whose scripts do not run. Resolves to undefined on failure.
 * Uses XMLHttpRequest, because Trusted Types forbid parsing text into a document.
 */
export function fetchDocument(path: string): Promise<Document | undefined> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.timeout = TIMEOUT_MS;
    request.onload = () => resolve((request.status === 200 && request.responseXML) || undefined);
    request.onerror = request.ontimeout = request.onabort = () => resolve(undefined);
    request.open('GET', path);
    request.send();
  });
}

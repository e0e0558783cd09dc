const TIMEOUT_MS = 10_000;

/**
 * A page of this site as a document, whose scripts do not run; nothing where it cannot be had. Not by `fetch`: turning
 * text into a document is what Trusted Types forbid.
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

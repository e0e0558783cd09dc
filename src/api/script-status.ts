/**
 * Whether the server has no script at this address any more. False when there is no response. Some servers respond to
 * a missing file with a page and the status 200, so the content type counts too.
 */
export const isScriptMissing = (address: string): Promise<boolean> =>
  fetch(address, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status, ok, headers }) =>
      status === 404 || (ok && !/javascript/.test(headers.get('content-type') ?? '')),
    () => false,
  );

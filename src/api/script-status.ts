/**
 * Whether the server no longer has the script. False if there is no response. Checks the content type too, because some
 * servers send a page with status 200 for a missing file.
 */
export const isScriptMissing = (address: string): Promise<boolean> =>
  fetch(address, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status, ok, headers }) =>
      status === 404 || (ok && !/javascript/.test(headers.get('content-type') ?? '')),
    () => false,
  );

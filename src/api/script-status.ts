/** Requests a script again. The response replaces a wrong one in the browser's cache. */
export const refetchScript = (address: string): Promise<Response> => fetch(address, { cache: 'reload' });

/**
 * Whether the server no longer has the script. False if there is no response. Checks the content type too, because some
 * servers send a page with status 200 for a missing file.
 */
export const isScriptMissing = (address: string): Promise<boolean> =>
  refetchScript(address).then(
    ({ status, ok, headers }) =>
      ok ? !/javascript/.test(headers.get('content-type') ?? '') : status < 500 && status !== 429,
    () => false,
  );

/** Whether the server has no script at this address (any more), only a page or nothing; no answer says nothing. */
export const isScriptGone = (address: string): Promise<boolean> =>
  fetch(address, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status, ok, headers }) =>
      status === 404 || (ok && !/javascript/.test(headers.get('content-type') ?? '')),
    () => false,
  );

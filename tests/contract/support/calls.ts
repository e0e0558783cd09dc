/** A call of section 7 of the specification, and a request that shows whether the backend has it. */
interface ContractCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Where a stranger's request is refused with a 401 (spec 6). */
  readonly needsAccount?: boolean;
  /** What a backend without the call answers, besides 405 and 501. A missing product or order is a 404, too. */
  readonly mayBeNotFound?: boolean;
}

export const CONTRACT_CALLS: readonly ContractCall[] = [
  { method: 'POST', path: '/users/authorize' },
  { method: 'POST', path: '/users/register' },
  { method: 'GET', path: '/accountInfo', needsAccount: true },
  { method: 'GET', path: '/storeInfo' },
  { method: 'GET', path: '/products' },
  { method: 'GET', path: '/products/:id', mayBeNotFound: true },
  { method: 'GET', path: '/orders', needsAccount: true },
  { method: 'GET', path: '/orders/:id', mayBeNotFound: true },
  { method: 'POST', path: '/orders', needsAccount: true },
  { method: 'GET', path: '/payments/fields', needsAccount: true },
  { method: 'POST', path: '/payments', needsAccount: true },
];

export const nameOf = ({ method, path }: ContractCall): string => `${method} ${path}`;

/** The names of the calls that the backend at `base` does not have. @throws where it does not answer */
export async function missingCalls(base: string): Promise<string[]> {
  const missing: string[] = [];
  for (const call of CONTRACT_CALLS) {
    const { status } = await fetch(base + call.path.replace(':id', 'unknown'), {
      method: call.method,
      ...(call.method === 'POST' ? { headers: { 'Content-Type': 'application/json' }, body: '{}' } : {}),
    });
    if (status === 405 || status === 501 || (status === 404 && !call.mayBeNotFound))
      missing.push(nameOf(call));
  }
  return missing;
}

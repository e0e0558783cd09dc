/** A call of section 7 of the specification. */
interface ContractCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** A request without a session is refused with a 401. */
  readonly needsAccount?: boolean;
  /** A 404 does not mean that the call is missing: an unknown product or order is one, too. */
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

const request = async (address: string, method: string): Promise<{ status: number; text: string }> => {
  const body = method === 'POST' ? { headers: { 'Content-Type': 'application/json' }, body: '{}' } : {};
  const response = await fetch(address, { method, ...body });
  return { status: response.status, text: await response.text() };
};

/** The names of the calls that the backend at `base` does not have. @throws if it does not respond */
export async function missingCalls(base: string): Promise<string[]> {
  const missing: string[] = [];
  for (const call of CONTRACT_CALLS) {
    const { status, text } = await request(base + call.path.replace(':id', 'unknown'), call.method);
    const nowhere = await request(`${base}/no/such/call`, call.method);
    const isUnknown = status === 404 && !call.mayBeNotFound && text === nowhere.text;
    if (status === 405 || status === 501 || isUnknown) missing.push(nameOf(call));
  }
  return missing;
}

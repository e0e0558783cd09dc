import * as v from 'valibot';
import type { Ask } from './ask.ts';

const TokenSchema = v.object({ token: v.string() });
const ListSchema = v.object({
  data: v.array(v.object({ id: v.string(), regularPrice: v.nullish(v.number()) })),
});

const PASSWORD = 'mango-season';

export const emailOf = (shopper: number): string => `shopper${shopper}@example.com`;

export async function register(ask: Ask, email: string): Promise<void> {
  const body = { email, password: PASSWORD, firstName: 'Asha', lastName: 'Rao' };
  await ask(v.unknown(), { path: 'users/register', body, status: 201 });
}

/** Returns the token. */
export async function signIn(ask: Ask, email: string): Promise<string> {
  const answer = await ask(TokenSchema, { path: 'users/authorize', body: { email, password: PASSWORD } });
  return answer?.content.token ?? '';
}

/** The ids of products that have a price. */
export async function productsForSale(ask: Ask): Promise<string[]> {
  const list = await ask(ListSchema, { path: 'products?page=1&limit=20' });
  return (list?.content.data ?? []).filter(({ regularPrice }) => (regularPrice ?? 0) > 0).map(({ id }) => id);
}

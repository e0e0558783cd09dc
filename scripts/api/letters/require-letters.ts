import type { Context } from 'hono';
import { Refusal } from '#scripts/api/http/refusal.ts';
import type { Env, Shop } from '#scripts/api/shop/shop.ts';

/** The `authorize` of a call that answers by letter: in a shop that sends none, there is no such call. @throws Refusal 404 */
export async function requireLetters(_context: Context<Env>, { settings }: Shop): Promise<void> {
  if (!settings.mail) throw new Refusal(404, 'Not found');
}

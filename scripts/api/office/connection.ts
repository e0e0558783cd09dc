import { createMiddleware } from 'hono/factory';
import { createIsHttps, isFromThisComputer } from '#scripts/api/http/client-address.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import type { OfficeContext, OfficeEnv } from './page.ts';

/** Refuses plain http, over which others in the network could read passwords and cookies, but not on this computer. */
export function requireHttps({ settings }: Shop) {
  const isHttps = createIsHttps(settings.trustedProxies);
  return createMiddleware<OfficeEnv>(async (context, next) => {
    if (!isHttps(context) && !isFromThisComputer(context)) {
      const text =
        'The office opens over https only, or at http://localhost on the computer that runs it. Behind a proxy that ends https, set TRUST_PROXY to its address and let it send X-Forwarded-Proto.';
      throw new Refusal(403, text);
    }
    await next();
  });
}

/** Whether cookies are for https alone. */
export const isSecure = (context: OfficeContext, { apiOrigin }: Shop): boolean =>
  apiOrigin.startsWith('https:') || !isFromThisComputer(context);

import * as v from 'valibot';
import { type Settings, SettingsError } from '#scripts/api/shop/settings.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { createCash } from './cash/cash.ts';
import { createCashfree } from './cashfree/cashfree.ts';
import { CashfreeSettings } from './cashfree/settings.ts';
import type { PaymentProvider } from './provider.ts';
import { createRazorpay } from './razorpay/razorpay.ts';
import { RazorpaySettings } from './razorpay/settings.ts';
import { createSandbox } from './sandbox/sandbox.ts';

type Create = (environment: Settings['environment'], shop: Shop) => PaymentProvider;

/** Makes a provider from its part of the environment. @throws SettingsError that names each wrong variable */
function configured<S extends v.GenericSchema<unknown, object>>(
  schema: S,
  create: (settings: v.InferOutput<S>) => PaymentProvider,
): Create {
  return (environment) => {
    const parsed = v.safeParse(schema, environment);
    if (parsed.success) return create(parsed.output);
    const lines = parsed.issues.map((issue) => `  ${v.getDotPath(issue)}: ${issue.message}`);
    throw new SettingsError(['The settings cannot be used:', ...lines].join('\n'));
  };
}

/** Every way to be paid. A new one is a folder with its adapter and settings, and a line here. */
const PROVIDERS: Readonly<Record<string, Create>> = {
  sandbox: (_environment, shop) => createSandbox(shop),
  razorpay: configured(RazorpaySettings, createRazorpay),
  cashfree: configured(CashfreeSettings, createCashfree),
  cod: createCash,
};

const made = new WeakMap<Settings, ReadonlyMap<string, PaymentProvider>>();

/** The providers that the settings name, in that order, by name. @throws SettingsError */
export function providersOf(shop: Shop): ReadonlyMap<string, PaymentProvider> {
  const known = made.get(shop.settings);
  if (known) return known;
  const { paymentProviders, environment } = shop.settings;
  const providers = new Map(
    paymentProviders.map((name) => {
      const create = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
      if (!create) {
        const names = Object.keys(PROVIDERS).join(', ');
        throw new SettingsError(
          `The settings cannot be used:\n  PAYMENT_PROVIDERS: '${name}' is not one of ${names}`,
        );
      }
      return [name, create(environment, shop)] as const;
    }),
  );
  made.set(shop.settings, providers);
  return providers;
}

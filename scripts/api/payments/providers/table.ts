import type { SharedWith } from '#domain/store-info.ts';
import type { Settings } from '#scripts/api/shop/settings.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { SettingsError } from '#scripts/program/setting.ts';
import { createCash } from './cash/cash.ts';
import { createCashfree } from './cashfree/cashfree.ts';
import { readCashfreeSettings } from './cashfree/settings.ts';
import type { PaymentProvider } from './provider.ts';
import { createRazorpay } from './razorpay/razorpay.ts';
import { readRazorpaySettings } from './razorpay/settings.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { isProviderName, type ProviderName, providerProblems } from './setting-rows.ts';

type Create = (environment: Settings['environment'], shop: Shop) => PaymentProvider;

/** Every way to be paid. A new one is a folder with its adapter and settings, a line here, and one in setting-rows.ts. */
const PROVIDERS: Readonly<Record<ProviderName, Create>> = {
  sandbox: (_environment, shop) => createSandbox(shop),
  razorpay: (environment) => createRazorpay(readRazorpaySettings(environment)),
  cashfree: (environment) => createCashfree(readCashfreeSettings(environment)),
  cod: createCash,
};

/** Who is told what of a payment, as GET /storeInfo says it for the privacy policy. */
export const toldProviders = (shop: Shop): SharedWith[] =>
  [...providersOf(shop).values()].flatMap(({ title, isTold }) =>
    isTold ? [{ name: title, told: isTold }] : [],
  );

const made = new WeakMap<Settings, ReadonlyMap<string, PaymentProvider>>();

/** The providers that the settings name, in that order, by name. @throws SettingsError */
export function providersOf(shop: Shop): ReadonlyMap<string, PaymentProvider> {
  const known = made.get(shop.settings);
  if (known) return known;
  const { paymentProviders, environment } = shop.settings;
  const problems = providerProblems(shop.settings);
  if (problems.length > 0) throw new SettingsError(problems);
  const providers = new Map(
    paymentProviders.filter(isProviderName).map((name) => [name, PROVIDERS[name](environment, shop)]),
  );
  made.set(shop.settings, providers);
  return providers;
}

import type { Settings as ApiSettings } from '#scripts/api/shop/settings.ts';
import { problemsOf, type Settings } from '#scripts/program/setting.ts';
import { CASHFREE_SETTINGS } from './cashfree/settings.ts';
import { RAZORPAY_SETTINGS } from './razorpay/settings.ts';

/** What each provider is set by, by its name in PAYMENT_PROVIDERS. */
export const PROVIDER_SETTINGS = {
  sandbox: {},
  razorpay: RAZORPAY_SETTINGS,
  cashfree: CASHFREE_SETTINGS,
  cod: {},
} satisfies Readonly<Record<string, Settings>>;

export type ProviderName = keyof typeof PROVIDER_SETTINGS;

export const isProviderName = (name: string): name is ProviderName => Object.hasOwn(PROVIDER_SETTINGS, name);

/** What is wrong with the providers that the settings name, a line for each. */
export const providerProblems = ({
  paymentProviders,
  environment,
}: Pick<ApiSettings, 'paymentProviders' | 'environment'>): string[] =>
  paymentProviders.flatMap((name) =>
    isProviderName(name)
      ? problemsOf(PROVIDER_SETTINGS[name], environment)
      : [`PAYMENT_PROVIDERS: '${name}' is not one of ${Object.keys(PROVIDER_SETTINGS).join(', ')}`],
  );

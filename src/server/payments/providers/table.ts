import * as CURRENCY from '#domain/currency.ts';
import type { DataRecipient } from '#domain/store-info.ts';
import type { Payable } from '#server/payments/payable.ts';
import type { Services } from '#server/services/services.ts';
import { problemsOf, SettingsError } from '#server/settings/parse.ts';
import type { Settings } from '#server/settings/settings.ts';
import { CASH } from './cash/cash.ts';
import { CASHFREE } from './cashfree/cashfree.ts';
import type { PaymentProvider, ProviderRow } from './provider.ts';
import { RAZORPAY } from './razorpay/razorpay.ts';
import { SANDBOX } from './sandbox/sandbox.ts';

/** Every way to be paid, by its name in PAYMENT_PROVIDERS. A new one is a folder with its adapter and settings, and a line here. */
const PROVIDERS: ReadonlyMap<string, ProviderRow> = new Map(
  Object.entries({ sandbox: SANDBOX, razorpay: RAZORPAY, cashfree: CASHFREE, cod: CASH }),
);

/** What is wrong with the providers that the settings name, a line for each. */
export const providerProblems = ({
  paymentProviders,
  environment,
}: Pick<Settings, 'paymentProviders' | 'environment'>): string[] =>
  paymentProviders.flatMap((name) => {
    const row = PROVIDERS.get(name);
    return row
      ? problemsOf(row.settings, environment)
      : [`PAYMENT_PROVIDERS: '${name}' is not one of ${[...PROVIDERS.keys()].join(', ')}`];
  });

/** Who is told what of a payment, as GET /storeInfo says it for the privacy policy. */
export const dataSharedWithProviders = (services: Services): DataRecipient[] =>
  [...providersOf(services).values()].flatMap(({ title, sharedData }) =>
    sharedData ? [{ name: title, receives: sharedData }] : [],
  );

const made = new WeakMap<Settings, ReadonlyMap<string, PaymentProvider>>();

/** The providers that the settings name, in that order, by name. @throws SettingsError */
export function providersOf(services: Services): ReadonlyMap<string, PaymentProvider> {
  const known = made.get(services.settings);
  if (known) return known;
  const { paymentProviders, environment } = services.settings;
  const problems = providerProblems(services.settings);
  if (problems.length > 0) throw new SettingsError(problems);
  const providers = new Map(
    paymentProviders.flatMap((name) => {
      const row = PROVIDERS.get(name);
      return row ? [[name, row.create(environment, services)] as const] : [];
    }),
  );
  made.set(services.settings, providers);
  return providers;
}

/** How it was paid, such as 'UPI QR, Cashfree'. */
export function paymentMethodText(
  services: Services,
  { provider, method }: Readonly<Record<'provider' | 'method', string>>,
): string {
  const { title = provider } = providersOf(services).get(provider) ?? {};
  return title === method ? method : `${method}, ${title}`;
}

/** One option of the payment form. */
export interface PaymentMethod {
  /** As the shopper reads it. */
  readonly option: string;
  /** What its provider calls it. */
  readonly method: string;
  readonly name: string;
  readonly provider: PaymentProvider;
}

/** Any order that can be paid in every way, for a form that is asked for without an order. */
const ANY_ORDER = { totalPaise: 0, address: { postalCode: '' } };

/** The payment methods this order, in the order in which the settings name their providers. */
export async function paymentMethodsOf(
  services: Services,
  order: Pick<Payable, 'totalPaise'> & { address: { postalCode: string } } = ANY_ORDER,
): Promise<PaymentMethod[]> {
  const { totalPaise, address } = order;
  const { cashOnDelivery: cashLimits } = await services.catalogue();
  const payable = { totalPaise, currency: CURRENCY.code, postalCode: address.postalCode, cashLimits };
  const methods = [...providersOf(services)].flatMap(([name, provider]) =>
    provider.methods(payable).map((method) => ({ method, name, provider })),
  );
  const isDouble = (method: string) => methods.filter((each) => each.method === method).length > 1;
  return methods.map((each) => ({
    ...each,
    option: isDouble(each.method) ? `${each.method} (${each.provider.title})` : each.method,
  }));
}

import * as CURRENCY from '#domain/currency.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import type { DataRecipient } from '#domain/store-info.ts';
import type { StoredOrder } from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';
import { problemsOf, SettingsError } from '#server/settings/parse.ts';
import type { Settings } from '#server/settings/settings.ts';
import { CASH, CASH_NAME } from './cash/cash.ts';
import { CASHFREE } from './cashfree/cashfree.ts';
import type { PaymentProvider, ProviderRow } from './provider.ts';
import { RAZORPAY } from './razorpay/razorpay.ts';
import { SANDBOX } from './sandbox/sandbox.ts';

/**
 * The payment providers, by their names in PAYMENT_PROVIDERS. To add one, add a folder with its adapter, its
 * settings, and a line here.
 */
const PROVIDERS: ReadonlyMap<string, ProviderRow> = new Map(
  Object.entries({ sandbox: SANDBOX, razorpay: RAZORPAY, cashfree: CASHFREE, [CASH_NAME]: CASH }),
);

/** The errors in the settings of the chosen providers, one text each. */
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

/** For GET /storeInfo and the privacy policy. */
export const dataSharedWithProviders = (services: Services): DataRecipient[] =>
  [...providersOf(services).values()].flatMap(({ title, sharedData }) =>
    sharedData ? [{ name: title, receives: sharedData }] : [],
  );

const made = new WeakMap<Settings, ReadonlyMap<string, PaymentProvider>>();

/** The chosen providers, and others whose keys are set: they still have refunds to make. @throws SettingsError */
function usableProviders(services: Services): ReadonlyMap<string, PaymentProvider> {
  const known = made.get(services.settings);
  if (known) return known;
  const { paymentProviders, environment } = services.settings;
  const problems = providerProblems(services.settings);
  if (problems.length > 0) throw new SettingsError(...problems);
  const usable = [...PROVIDERS].filter(
    ([name, { settings }]) =>
      paymentProviders.includes(name) || problemsOf(settings, environment).length === 0,
  );
  const providers = new Map(usable.map(([name, row]) => [name, row.create(environment, services)]));
  made.set(services.settings, providers);
  return providers;
}

/** A provider for what was paid with it, even if it takes no new payments. */
export const findProvider = (services: Services, name: string): PaymentProvider | undefined =>
  usableProviders(services).get(name);

/** Those that take payments, in the order of the settings, by name. @throws SettingsError */
export const providersOf = (services: Services): ReadonlyMap<string, PaymentProvider> =>
  new Map(
    services.settings.paymentProviders.flatMap((name) => {
      const provider = findProvider(services, name);
      return provider ? [[name, provider] as const] : [];
    }),
  );

/** Such as 'UPI QR, Cashfree'. */
export function paymentMethodText(
  services: Services,
  { provider, method }: Readonly<Record<'provider' | 'method', string>>,
): string {
  const { title = provider } = findProvider(services, provider) ?? {};
  return title === method ? method : `${method}, ${title}`;
}

/** One option of the payment form. */
export interface PaymentMethod {
  /** The text for the shopper. */
  readonly option: string;
  /** The provider's name for it. */
  readonly method: string;
  readonly name: string;
  readonly provider: PaymentProvider;
}

/** An order that every method accepts, for a form without an order. */
const ANY_ORDER = { toPayPaise: 0, status: NEW_ORDER, address: { postalCode: '' } };

/** The payment methods for this order, in the order in which the settings name their providers. */
export async function paymentMethodsOf(
  services: Services,
  order: Pick<StoredOrder, 'toPayPaise' | 'status'> & { address: { postalCode: string } } = ANY_ORDER,
): Promise<PaymentMethod[]> {
  const { toPayPaise: totalPaise, address, status } = order;
  const { cashOnDelivery: cashLimits } = await services.catalogue();
  const payable = { totalPaise, currency: CURRENCY.code, postalCode: address.postalCode, cashLimits };
  const methods = [...providersOf(services)].flatMap(([name, provider]) =>
    // The parcel of an order that staff have moved on does not ask for cash.
    provider.isPaidAtDoor && status !== NEW_ORDER
      ? []
      : provider.methods(payable).map((method) => ({ method, name, provider })),
  );
  const isDouble = (method: string) => methods.filter((each) => each.method === method).length > 1;
  return methods.map((each) => ({
    ...each,
    option: isDouble(each.method) ? `${each.method} (${each.provider.title})` : each.method,
  }));
}

import type * as v from 'valibot';
import type { Paise } from '#domain/money.ts';
import type { StoreRecord } from '#domain/store-fields.ts';
import type { ReportedRow } from '#server/ledger/reported.ts';
import type { Started } from '#server/payments/schema.ts';
import type { Attempt } from '#server/payments/stored-attempts.ts';
import { DAY } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import type { Environment } from '#server/settings/parse.ts';

/** For how long money that came is polled, in ms. Banks accept disputes for about half a year. */
export const MONEY_POLLED_FOR = 180 * DAY;

/** What a provider gets to know of a payment: no address, and no goods. The reference is its idempotency key there. */
export type PaymentOrder = Pick<
  Attempt,
  'reference' | 'method' | 'amountPaise' | 'currency' | 'providerId' | 'paymentId' | 'createdAt'
>;

export interface StartDetails {
  /** Such as 'FF-1042', without the suffix: it is in bank statements and on pages that others see. */
  readonly orderNumber: string;
  /** The shop's name. */
  readonly payee: string;
  /** The origin of the site on which the shopper pays. */
  readonly returnOrigin: string;
  /** A pseudonym of the customer. */
  readonly customer: string;
  /** The ten digits of a mobile number, if the provider `needsPhone`. */
  readonly phone: string;
  /** Where the provider redirects the shopper. */
  readonly returnUrl: string;
  /** Where the provider sends its webhooks. */
  readonly webhookUrl: string;
}

/** The owner's limits for cash on delivery: up to how many rupees, and which PIN codes or their first digits. */
export type CashLimits = StoreRecord['cashOnDelivery'];

/** What decides whether a payment method is available for an order. */
export interface PayableOrder {
  readonly totalPaise: Paise;
  readonly currency: string;
  readonly postalCode: string;
  readonly cashLimits: CashLimits;
}

export interface PaymentReport {
  /** `open`: neither paid nor given up. `failed`: this try failed. `ended`: it can no longer be paid. */
  readonly outcome: 'succeeded' | 'failed' | 'open' | 'ended';
  /** The amount that was asked for; undefined if it cannot be read exactly. */
  readonly amountPaise?: Paise | undefined;
  readonly currency?: string | undefined;
  /** What came, if it is another amount. */
  readonly receivedPaise?: Paise | undefined;
  /** Whether the provider says that less came because of an offer of its own. */
  readonly hasOffer?: boolean;
  /** When it came, in ms since 1970. */
  readonly at?: number | undefined;
  /** See `PaymentOrder`. */
  readonly providerId?: string | undefined;
  readonly paymentId?: string | undefined;
  /** What the payer's bank calls the payment, such as a UTR. */
  readonly bankReference?: string | undefined;
  /** The provider's message about a try that failed. */
  readonly providerMessage?: string | undefined;
  /** All refunds and disputes that the provider knows, wherever they were made. */
  readonly refunds?: readonly ReportedRow[] | undefined;
  /** Whether it answers a poll. Only then may a decided refund or dispute change again: a webhook may be late. */
  readonly isPolled?: boolean;
}

/** What became of a request for a refund. */
export type RefundAnswer = Pick<ReportedRow, 'providerMessage' | 'externalId' | 'at'> & {
  readonly state: 'done' | 'requested' | 'failed';
};

/** A signed webhook about one payment, by any of its names. It is settled, and polled unless it is a success. */
export interface WebhookNews {
  /** References, or ids of the provider. Empty if it is about no payment. */
  readonly names: readonly string[];
  readonly report?: PaymentReport | undefined;
}

/** A payment provider that a shop may use: a row of the table of providers. */
export interface ProviderRow {
  /** Its environment variables. */
  readonly settings: v.ObjectEntries;
  /** Called after the settings were checked. */
  readonly create: (environment: Environment, services: Services) => PaymentProvider;
}

/** The adapter of a payment provider, with a line in `providers.ts`. No other module knows a provider's API. */
export interface PaymentProvider {
  /** As the admin and the privacy policy name it. */
  readonly title: string;
  /** Whether no real money is taken. */
  readonly isTest: boolean;
  /** Cash on delivery: it confirms the order, and starts no payment. */
  readonly isPaidAtDoor?: boolean;
  /** Whether it takes no payment without an Indian mobile number. */
  readonly needsPhone?: boolean;
  /** The data it gets of the shopper and the order, for the privacy policy; undefined if there is no third party. */
  readonly sharedData?: string;
  /** Its keys, as the admin shows them: a name, and the last four characters. */
  readonly keys?: readonly { readonly label: string; readonly end: string }[];
  /** What the owner has to configure at the provider. */
  readonly todo?: string;
  /** The owner's rules for it, as a sentence for the admin. */
  readonly rules?: (limits: CashLimits) => string;
  /** The options of the payment form for this order. */
  readonly methods: (order: PayableOrder) => readonly string[];
  /** Starts the payment, once per reference. @throws ProviderError */
  readonly start: (payment: PaymentOrder, details: StartDetails) => Promise<Started>;
  /** Reads a webhook, without effects or calls. @param now ms since 1970. @throws Refusal */
  readonly readWebhook?: (headers: Headers, rawBody: string, now: number) => WebhookNews;
  /** Whether the provider signed the shopper's return. Without this method every return is polled. */
  readonly isSignedReturn?: (payment: PaymentOrder, query: Readonly<Record<string, string>>) => boolean;
  /** Fetches the current state of a payment that is open or has failed. @throws ProviderError */
  readonly poll: (payment: PaymentOrder) => Promise<PaymentReport>;
  /** Fetches the refunds and disputes of a payment whose money came. @throws ProviderError */
  readonly pollRefunds?: (payment: PaymentOrder) => Promise<PaymentReport['refunds']>;
  /** Refunds all or a part, once per key. @throws ProviderError */
  readonly refund: (payment: PaymentOrder, paise: Paise, key: string) => Promise<RefundAnswer>;
  /** Makes a harmless request. Returns what is wrong, or undefined. */
  readonly check?: () => Promise<string | undefined>;
}

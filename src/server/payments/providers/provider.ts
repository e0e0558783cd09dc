import type * as v from 'valibot';
import type { Paise } from '#domain/money.ts';
import type { StoreRecord } from '#domain/store-fields.ts';
import type { PaymentResponse } from '#server/payments/schema.ts';
import type { Services } from '#server/services/services.ts';
import type { Environment } from '#server/settings/parse.ts';

/** What a provider is told of a payment. It holds no address and no goods. */
export interface PaymentOrder {
  /** Our name for the payment, and the key under which the provider starts it only once. */
  readonly reference: string;
  /** The option of the payment form that the shopper chose. */
  readonly method: string;
  readonly amountPaise: Paise;
  readonly currency: string;
  /** The provider's own id of the payment; undefined until it has been started. */
  readonly providerId: string | undefined;
  /** ms since 1970 */
  readonly createdAt: number;
}

/** What `start` needs besides. */
export interface StartDetails {
  readonly orderId: string;
  /** The shop's name. */
  readonly payee: string;
  /** The origin of the site on which the shopper pays. */
  readonly returnOrigin: string;
  /** An opaque name of the customer, which tells nothing about the person. */
  readonly customer: string;
  /** As the shopper typed it at the checkout. Only a provider that requires a phone is sent it. */
  readonly phone: string;
  /** Where the provider sends the shopper afterwards. */
  readonly returnUrl: string;
  /** Where the provider sends its webhooks. */
  readonly webhookUrl: string;
}

/** What the owner says of cash at the door: up to how many rupees, and in which PIN codes, whole or how they begin. */
export type CashLimits = StoreRecord['cashOnDelivery'];

/** What an order must have for a payment method to be offered. */
export interface PayableOrder {
  readonly totalPaise: Paise;
  readonly currency: string;
  readonly postalCode: string;
  readonly cashLimits: CashLimits;
}

/** What the payment page does next: a part of section 7's answer. */
export type Started = Pick<PaymentResponse, 'action' | 'redirectUrl'> & {
  /** The provider's own id, to ask for the payment by. */
  readonly providerId?: string;
};

/** What is known of a payment at the provider. */
export interface PaymentReport {
  /** `open`: neither paid nor given up. `failed`: this attempt failed. `ended`: nobody can pay it any more. */
  readonly outcome: 'succeeded' | 'failed' | 'open' | 'ended';
  /** undefined where the amount cannot be read exactly */
  readonly amountPaise: Paise | undefined;
  readonly currency: string;
}

/** What a webhook says: reports to settle, or only payments that should be asked about. */
export type WebhookResult =
  | {
      readonly kind: 'reports';
      readonly reports: readonly (PaymentReport & { readonly reference: string })[];
    }
  | { readonly kind: 'hint'; readonly references: readonly string[]; readonly refunds: readonly string[] }
  | { readonly kind: 'refused'; readonly status: 400 | 401; readonly reason: string };

export type RefundAnswer =
  | { readonly state: 'refunded' | 'refunding' }
  /** `text`: the provider's own words. */
  | { readonly state: 'refund_failed'; readonly text: string };

/** A way to be paid that a shop may have: a row of the table of providers. */
export interface ProviderRow {
  /** Its part of the environment. */
  readonly settings: v.ObjectEntries;
  /** The settings were checked before. */
  readonly create: (environment: Environment, services: Services) => PaymentProvider;
}

/** The adapter of a payment provider. Nothing else of the shop knows a provider's API. */
export interface PaymentProvider {
  /** As the admin and the privacy policy name it. */
  readonly title: string;
  /** Whether payments take no real money. */
  readonly isTest: boolean;
  /** Whether a payment that has started confirms the order, because it is paid at the door. */
  readonly isPaidAtDoor?: boolean;
  /** What it is told of the shopper and the order, for the privacy policy; undefined where it is nobody else. */
  readonly sharedData?: string;
  /** Its keys, as the admin shows them: a name, and the last four signs. */
  readonly keys?: readonly { readonly label: string; readonly end: string }[];
  /** What the owner still has to do at the provider. */
  readonly todo?: string;
  /** What the owner has decided about it, as a sentence for the admin. */
  readonly rules?: (limits: CashLimits) => string;
  /** The options that the payment form offers for this order. */
  readonly methods: (order: PayableOrder) => readonly string[];
  /** Begins the payment. Asked twice with one reference, it is the same payment. @throws ProviderError */
  readonly start: (payment: PaymentOrder, details: StartDetails) => Promise<Started>;
  /** Reads a webhook. It changes nothing and calls nobody. @param now ms since 1970 */
  readonly readWebhook: (headers: Headers, rawBody: string, now: number) => WebhookResult;
  /** Whether the provider signed the shopper's return. Where there is no such signature, every return is asked about. */
  readonly isSignedReturn?: (payment: PaymentOrder, query: Readonly<Record<string, string>>) => boolean;
  /** What the provider says of the payment now. @throws ProviderError */
  readonly poll: (payment: PaymentOrder) => Promise<PaymentReport>;
  /** Gives back all or a part, once for a key; asked again with the key, it tells how far that came. @throws ProviderError */
  readonly refund: (payment: PaymentOrder, paise: Paise, key: string) => Promise<RefundAnswer>;
  /** Asks the provider something harmless, and returns what is wrong, if anything. */
  readonly check: () => Promise<string | undefined>;
}

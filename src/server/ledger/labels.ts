import type { Language } from '#domain/language.ts';
import { tidyCode } from '#domain/text.ts';
import { type AdjustmentKind, MONEY_STATUSES, type MoneyStatus } from '#server/db/tables.ts';

type Texts = Readonly<Record<Language, string>>;

/** The words for an order's money, as lists, filters, slips, files and emails to the staff show them. */
export const MONEY_LABELS: Readonly<Record<MoneyStatus, string>> = {
  wrong_amount: 'Wrong amount',
  disputed: 'In dispute',
  refund_due: 'Refund due',
  to_collect: 'To collect',
  partly_paid: 'Partly paid',
  unpaid: 'Unpaid',
  refunding: 'Refund in progress',
  refunded: 'Refunded',
  partly_refunded: 'Partly refunded',
  paid: 'Paid',
  nothing: 'Nothing',
};

export const isMoneyStatus = (name: string): name is MoneyStatus => Object.hasOwn(MONEY_STATUSES, name);

/** In the order in which the first that holds counts. */
export const MONEY_NAMES = Object.keys(MONEY_STATUSES).filter(isMoneyStatus);

/** The ways in which money comes and goes that staff book by hand. A new one is a line here. */
export const WAYS = {
  cash: { en: 'Cash', hi: 'नकद' },
  bank_transfer: { en: 'Bank transfer', hi: 'बैंक ट्रांसफ़र' },
  own_upi: { en: 'UPI to the shop', hi: 'दुकान का UPI' },
  other: { en: 'Another way', hi: 'दूसरा तरीका' },
} as const satisfies Record<string, Texts>;

export type Way = keyof typeof WAYS;

export const isWay = (name: string): name is Way => Object.hasOwn(WAYS, name);

export const WAY_NAMES = Object.keys(WAYS).filter(isWay);

/** Such as 'Bank transfer'. The name of a provider stays. */
export const wayName = (way: string, language: Language = 'en'): string =>
  isWay(way) ? WAYS[way][language] : way.charAt(0).toUpperCase() + way.slice(1);

/**
 * A number of a bank, a provider or a courier, however it was written: 'utr 5123 4567 8901' is '512345678901'. The ids of
 * providers have a '_', and keep their case.
 */
export function tidyNumber(text: string): string {
  const joined = tidyCode(text).replaceAll(/\s/g, '');
  const number = joined.replace(/^(?:utr|rrn|ref)[.:#-]*(?=[\da-z-]{6})/i, '');
  const isDigits = /^[\d-]+$/.test(number);
  return isDigits ? number.replaceAll('-', '') : number.includes('_') ? number : number.toUpperCase();
}

/** What the customer reads of an adjustment, below the total. */
export const ADJUSTMENT_NAMES: Readonly<Record<AdjustmentKind, Texts>> = {
  lowered: { en: 'Lowered', hi: 'कम किया गया' },
  written_off: { en: 'Waived', hi: 'माफ़ किया गया' },
  refund: { en: 'Refund', hi: 'रिफ़ंड' },
  offer: { en: 'Offer of the payment provider', hi: 'भुगतान सेवा का ऑफ़र' },
  dispute: { en: 'Returned by your bank', hi: 'आपके बैंक ने लौटाया' },
  kept: { en: 'Not refunded', hi: 'वापस नहीं किया गया' },
};

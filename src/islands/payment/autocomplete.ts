import type { PaymentField } from '#domain/payment-form.ts';

/** Autofill tokens by the name or label of a field, because the server sends nothing better. */
const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/card.?(?:number|no)/i, 'cc-number'],
  [/expir/i, 'cc-exp'],
  [/cvv|cvc/i, 'cc-csc'],
  [/card.?holder|name.?on.?card/i, 'cc-name'],
  [/e-?mail/i, 'email'],
  [/phone|mobile/i, 'tel'],
  [/pin.?code|postal/i, 'postal-code'],
  [/otp|one.?time/i, 'one-time-code'],
  [/full.?name|^name$/i, 'name'],
];

/** The autocomplete token of a field, or 'off' if none fits. */
export function autocompleteOf({ name, label, type }: PaymentField): string {
  if (type === 'email') return 'email';
  if (type === 'tel') return 'tel';
  return TOKENS.find(([pattern]) => pattern.test(name) || pattern.test(label))?.[1] ?? 'off';
}

import { isEmail } from './email.ts';
import { fitsPattern, newPatternBudget, type PatternBudget } from './pattern.ts';
import { isPhoneEmpty, phoneError } from './phone.ts';
import { tidyCode, tidyLines, tidyText } from './text.ts';

/**
 * The field types that the server may send. Any other type is read as 'text'. A new type also needs its control in
 * islands/payment/PaymentField.tsx, an example in src/server/payments/payment-fields.ts, and a check in `fieldError` with
 * its text in src/i18n/hi-islands.ts. `submittedFields` (payment-values.ts) trims its value if spaces do not belong to it.
 */
export const FIELD_TYPES = [
  'text',
  'email',
  'password',
  'number',
  'tel',
  'textarea',
  'select',
  'checkbox',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface PaymentField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly placeholder: string;
  readonly description: string;
  readonly options: readonly string[];
  readonly inline: boolean;
  /** The mask as in payment-values.ts, or ''. */
  readonly mask: string;
  readonly rules: {
    readonly required: boolean;
    readonly minLength?: number | undefined;
    readonly maxLength?: number | undefined;
    readonly pattern?: string | undefined;
  };
  readonly rulesMessages: readonly string[];
  readonly defaultValue: string;
  /** Shown only if at least one of these fields is filled. An empty list means always. */
  readonly showWhenFilled: readonly string[];
}

/** Values by field name. A checkbox has 'true' or 'false'. It is a Map because a name may be `__proto__`. */
export type PaymentValues = ReadonlyMap<string, string>;

/** Whether the type is tel, or the type is text or number and the name contains 'phone'. */
export const isPhoneField = ({ type, name }: Pick<PaymentField, 'type' | 'name'>): boolean =>
  type === 'tel' || ((type === 'text' || type === 'number') && name.toLowerCase().includes('phone'));

/** Returns a value as it is checked and sent. Codes, such as a UPI id, have a pattern; a password is never changed. */
export function tidyValue({ type, rules: { pattern } }: PaymentField, value: string): string {
  if (type === 'password' || type === 'select') return value;
  if (type === 'textarea') return tidyLines(value);
  return type === 'text' && pattern === undefined ? tidyText(value) : tidyCode(value);
}

/** A bare phone prefix and an unticked checkbox count as empty. */
export function isFieldEmpty(field: PaymentField, value: string): boolean {
  if (field.type === 'checkbox') return value !== 'true';
  return isPhoneField(field) ? isPhoneEmpty(value) : tidyText(value) === '';
}

/**
 * Returns the visible fields, in order. A hidden field in `showWhenFilled` still counts by its value, so that fields
 * which name themselves, each other or an unknown field leave the form stable.
 */
export function visibleFields(fields: readonly PaymentField[], values: PaymentValues): PaymentField[] {
  const filled = new Set(
    fields.filter((field) => !isFieldEmpty(field, values.get(field.name) ?? '')).map(({ name }) => name),
  );
  return fields.filter(
    ({ showWhenFilled }) => showWhenFilled.length === 0 || showWhenFilled.some((name) => filled.has(name)),
  );
}

type RuleName = 'minLength' | 'maxLength' | 'pattern';

/** Returns the server's text for a rule. The first is for `required`, the next ones for the rules that are set. */
function ruleMessage({ rules, rulesMessages }: PaymentField, name: RuleName): string | undefined {
  const rulesSet = (['minLength', 'maxLength', 'pattern'] as const).filter(
    (rule) => rules[rule] !== undefined,
  );
  return rulesMessages[1 + rulesSet.indexOf(name)] || undefined;
}

type Failed = readonly [rule: RuleName, text: string];

function failedRule(field: PaymentField, value: string, budget: PatternBudget): Failed | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = field.rules;
  const { length } = [...value];
  if (length < minLength) return ['minLength', `Must have at least ${minLength} characters`];
  if (length > maxLength) return ['maxLength', `Must have no more than ${maxLength} characters`];
  const fits = pattern === undefined || fitsPattern(pattern, value, budget);
  return fits ? undefined : ['pattern', 'Invalid format'];
}

function phoneFieldError(field: PaymentField, value: string, budget: PatternBudget): string | undefined {
  const [rule] = failedRule(field, value, budget) ?? [];
  const text = phoneError(value, field.rules);
  if (text) return (rule && ruleMessage(field, rule)) ?? text;
  if (rule === 'pattern') return ruleMessage(field, 'pattern') ?? 'Invalid phone number format';
  return undefined;
}

export function fieldError(
  field: PaymentField,
  input: string,
  budget = newPatternBudget(),
): string | undefined {
  const value = tidyValue(field, input);
  if (isFieldEmpty(field, value)) {
    return field.rules.required ? field.rulesMessages[0] || 'This field is required' : undefined;
  }
  if (field.type === 'checkbox') return undefined;
  if (isPhoneField(field)) return phoneFieldError(field, value, budget);
  if (field.type === 'email' && !isEmail(value)) return 'Please enter a valid email address';
  const [rule, text] = failedRule(field, value, budget) ?? [];
  return rule && (ruleMessage(field, rule) ?? text);
}

/** Returns error texts by field name, of visible fields only. Their patterns share one budget. */
export function validatePaymentForm(
  fields: readonly PaymentField[],
  values: PaymentValues,
): Map<string, string> {
  const errors = new Map<string, string>();
  const budget = newPatternBudget();
  for (const field of visibleFields(fields, values)) {
    const text = fieldError(field, values.get(field.name) ?? '', budget);
    if (text) errors.set(field.name, text);
  }
  return errors;
}

/**
 * Returns the fields in display order. A field with `showWhenFilled` follows the last field that it depends on, so that
 * no field appears above the one being typed in.
 */
export function arrangeFields(fields: readonly PaymentField[]): PaymentField[] {
  const followers = new Map<string, PaymentField[]>();
  const roots: PaymentField[] = [];
  for (const field of fields) {
    const cause = fields.findLast(
      ({ name }) => name !== field.name && field.showWhenFilled.includes(name),
    )?.name;
    if (cause === undefined) roots.push(field);
    else followers.set(cause, [...(followers.get(cause) ?? []), field]);
  }
  const arranged = new Set<PaymentField>();
  const place = (field: PaymentField): void => {
    if (arranged.has(field)) return;
    arranged.add(field);
    for (const follower of followers.get(field.name) ?? []) place(follower);
  };
  for (const field of [...roots, ...fields]) place(field);
  return [...arranged];
}

export function sharesRow(visible: readonly PaymentField[], index: number): boolean {
  const isBeside = (field: PaymentField | undefined): boolean =>
    field?.inline === true && field.type !== 'checkbox';
  return (index > 0 && isBeside(visible[index])) || isBeside(visible[index + 1]);
}

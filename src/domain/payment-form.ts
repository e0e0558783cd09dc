import { isEmail } from './account.ts';
import { fitsPattern } from './pattern.ts';
import { isPhoneEmpty, PHONE_MAX_LENGTH, PHONE_PREFIX, phoneError } from './phone.ts';

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

/** A field of the payment form as the server defines it (spec 3). */
export interface PaymentField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly placeholder: string;
  readonly description: string;
  readonly options: readonly string[];
  readonly inline: boolean;
  /** 9 a digit, a a letter, * any; '' for none (resolutions 36). */
  readonly mask: string;
  readonly rules: {
    readonly required: boolean;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
  };
  readonly rulesMessages: readonly string[];
  readonly defaultValue: string;
  /** Shown only when at least one of these fields is non-empty; none means always. */
  readonly showWhenFilled: readonly string[];
}

/** Field name to value; a checkbox holds 'true' or 'false'. A Map, because a name may be `__proto__`. */
export type PaymentValues = ReadonlyMap<string, string>;

export const isPhoneField = ({ type, name }: Pick<PaymentField, 'type' | 'name'>): boolean =>
  type === 'tel' || name.toLowerCase().includes('phone');

export const phoneMaxLength = ({ rules }: Pick<PaymentField, 'rules'>): number =>
  rules.maxLength ?? PHONE_MAX_LENGTH;

/** Blank, a phone's bare prefix, or an unticked box (resolutions 35). */
export function isFieldEmpty(field: PaymentField, value: string): boolean {
  if (field.type === 'checkbox') return value !== 'true';
  return isPhoneField(field) ? isPhoneEmpty(value) : value.trim() === '';
}

/** Masks format what is typed; this is what is sent (resolutions 36). */
export function applyMask(mask: string, typed: string): string {
  const raw = unmask(mask, typed);
  let index = 0;
  let result = '';
  for (const slot of mask) {
    if (index >= raw.length) break;
    if ('9a*'.includes(slot)) {
      result += raw[index];
      index += 1;
    } else result += slot;
  }
  return result;
}

const SLOTS: Readonly<Record<string, RegExp>> = { 9: /\d/, a: /\p{L}/u, '*': /\S/ };

/** The characters that fill the slots of the mask, its literals left out. */
export function unmask(mask: string, shown: string): string {
  const slots = [...mask];
  let raw = '';
  let position = 0;
  for (const character of shown) {
    while (position < slots.length && !SLOTS[slots[position] ?? '']) {
      if (slots[position] === character) break;
      position += 1;
    }
    const slot = SLOTS[slots[position] ?? ''];
    if (position >= slots.length) break;
    if (!slot) position += 1;
    else if (slot.test(character)) {
      raw += character;
      position += 1;
    }
  }
  return raw;
}

/** What the form starts with: defaults, and +91 in a required empty phone field (spec 5). */
export function initialValues(fields: readonly PaymentField[]): Map<string, string> {
  return new Map(
    fields.map((field) => {
      if (field.type === 'checkbox') return [field.name, field.defaultValue === 'true' ? 'true' : 'false'];
      const prefixed = isPhoneField(field) && field.rules.required && field.defaultValue === '';
      return [field.name, prefixed ? PHONE_PREFIX : unmasked(field, field.defaultValue)];
    }),
  );
}

const unmasked = ({ mask }: PaymentField, value: string): string => (mask ? unmask(mask, value) : value);

/**
 * The fields on show, in order. A cause counts by its value alone, shown or not, so that fields that name
 * themselves, each other, or nobody end in one stable answer (faults 58).
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

/** The server's text for a rule: the first answers `required`, the next the rules that are given, in order. */
function ruleMessage({ rules, rulesMessages }: PaymentField, name: RuleName): string | undefined {
  const given = (['minLength', 'maxLength', 'pattern'] as const).filter((rule) => rules[rule] !== undefined);
  return rulesMessages[1 + given.indexOf(name)] || undefined;
}

const characters = (value: string): number => [...value].length;

interface Check {
  readonly rule: RuleName;
  readonly fails: boolean;
  readonly text: string;
}

function checksOf(field: PaymentField, value: string): Check[] {
  const { minLength, maxLength, pattern } = field.rules;
  return [
    {
      rule: 'minLength',
      fails: minLength !== undefined && characters(value) < minLength,
      text: `Must have at least ${minLength} characters`,
    },
    {
      rule: 'maxLength',
      fails: maxLength !== undefined && characters(value) > maxLength,
      text: `Must have no more than ${maxLength} characters`,
    },
    { rule: 'pattern', fails: pattern !== undefined && !fitsPattern(pattern, value), text: 'Invalid format' },
  ];
}

function phoneFieldError(field: PaymentField, value: string): string | undefined {
  const { rules } = field;
  const failed = checksOf(field, value).find(({ fails }) => fails);
  const text = phoneError(value, rules);
  if (text) return (failed && ruleMessage(field, failed.rule)) ?? text;
  if (failed?.rule === 'pattern') return ruleMessage(field, 'pattern') ?? 'Invalid phone number format';
  return undefined;
}

/** The text for one visible field, or nothing (spec 5, payment form). */
export function fieldError(field: PaymentField, value: string): string | undefined {
  if (isFieldEmpty(field, value)) {
    return field.rules.required ? field.rulesMessages[0] || 'This field is required' : undefined;
  }
  if (field.type === 'checkbox') return undefined;
  if (isPhoneField(field)) return phoneFieldError(field, value);
  if (field.type === 'email' && !isEmail(value)) return 'Please enter a valid email address';
  const failed = checksOf(field, value).find(({ fails }) => fails);
  return failed && (ruleMessage(field, failed.rule) ?? failed.text);
}

/** Texts by field name; only visible fields are validated. */
export function validatePaymentForm(
  fields: readonly PaymentField[],
  values: PaymentValues,
): Map<string, string> {
  const errors = new Map<string, string>();
  for (const field of visibleFields(fields, values)) {
    const text = fieldError(field, values.get(field.name) ?? '');
    if (text) errors.set(field.name, text);
  }
  return errors;
}

/** Whether submit is allowed: no required visible field is empty (spec 5). */
export function canSubmit(fields: readonly PaymentField[], values: PaymentValues): boolean {
  return visibleFields(fields, values).every(
    (field) => !field.rules.required || !isFieldEmpty(field, values.get(field.name) ?? ''),
  );
}

/** What is sent: the visible fields' values, a bare +91 as ''. */
export function submittedFields(
  fields: readonly PaymentField[],
  values: PaymentValues,
): Record<string, string> {
  return Object.fromEntries(
    visibleFields(fields, values).map((field) => {
      const value = values.get(field.name) ?? '';
      return [field.name, isPhoneField(field) && isPhoneEmpty(value) ? '' : value];
    }),
  );
}

import type { ComponentProps, ReactNode } from 'react';
import { type PaymentField as FieldDefinition, type FieldType, isPhoneField } from '#domain/payment-form.ts';
import { shownValue } from '#domain/payment-values.ts';
import { PHONE_PLACEHOLDER } from '#domain/phone.ts';
import {
  BARE_CONTROL,
  CheckBox,
  CONTROL,
  Field,
  FieldError,
  FieldFrame,
  fieldAria,
} from '#islands/ui/Field.tsx';
import { PasswordField } from '#islands/ui/PasswordField.tsx';

interface PaymentFieldProps {
  readonly id: string;
  readonly field: FieldDefinition;
  readonly value: string;
  readonly error: string | undefined;
  readonly className: string;
}

const frameOf = ({ id, field, error, className }: PaymentFieldProps) => ({
  id,
  label: field.label,
  hint: field.description,
  error,
  className,
});

const controlOf = ({ field, value }: PaymentFieldProps) => ({
  name: field.name,
  placeholder: field.placeholder,
  required: field.rules.required,
  defaultValue: shownValue(field, value),
});

/** Autofill tokens by the name or label of a field, because the server sends none. */
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

function autocompleteOf({ name, label, type }: FieldDefinition): string {
  if (type === 'email') return 'email';
  if (type === 'tel') return 'tel';
  return TOKENS.find(([pattern]) => pattern.test(name) || pattern.test(label))?.[1] ?? 'off';
}

const MODES: Partial<Record<FieldType, ComponentProps<'input'>['inputMode']>> = {
  email: 'email',
  number: 'decimal',
};

/** A mask applies only to single-line texts that are not secret. */
const TextField = (props: PaymentFieldProps) => {
  const { field } = props;
  const { type, mask, placeholder } = field;
  const isPhone = isPhoneField(field);
  const maskMode = /[a*]/.test(mask) ? 'text' : 'numeric';
  return (
    <Field
      {...frameOf(props)}
      {...controlOf(props)}
      type={isPhone ? 'tel' : mask ? 'text' : type}
      inputMode={isPhone ? 'tel' : mask ? maskMode : MODES[type]}
      step={type === 'number' && !isPhone && !mask ? 'any' : undefined}
      placeholder={placeholder || (isPhone ? PHONE_PLACEHOLDER : '')}
      autoComplete={autocompleteOf(field)}
    />
  );
};

/** Browsers should not store the text as the shop's password. They obey the tokens of cards and codes, but not 'off'. */
const SecretField = (props: PaymentFieldProps) => (
  <PasswordField
    {...frameOf(props)}
    {...controlOf(props)}
    autoComplete={autocompleteOf(props.field)}
    noun={props.field.label.toLowerCase()}
  />
);

function LongField(props: PaymentFieldProps) {
  const frame = frameOf(props);
  return (
    <FieldFrame {...frame}>
      <textarea
        {...controlOf(props)}
        {...fieldAria(frame)}
        className={`${BARE_CONTROL} min-h-30 resize-y rounded-control py-3 leading-[1.5]`}
        id={props.id}
        rows={3}
      />
    </FieldFrame>
  );
}

function ChoiceField(props: PaymentFieldProps) {
  const { placeholder, ...control } = controlOf(props);
  const frame = frameOf(props);
  const { options, defaultValue } = props.field;
  return (
    <FieldFrame {...frame}>
      <select {...control} {...fieldAria(frame)} className={`${CONTROL} *:bg-canvas`} id={props.id}>
        {!options.includes(defaultValue) && <option value="">{placeholder || 'Choose'}</option>}
        {[...new Set(options)].map((option) => (
          <option key={option} value={option} translate="no">
            {option}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

function CheckField(props: PaymentFieldProps) {
  const { id, field, value, error, className } = props;
  return (
    <div className={`self-end [[data-field=checkbox]+&]:-mt-2 ${className}`} data-field="checkbox">
      <CheckBox
        {...fieldAria(frameOf(props))}
        id={id}
        name={field.name}
        required={field.rules.required}
        defaultChecked={value === 'true'}
      >
        {field.label}
      </CheckBox>
      <div className="ps-9">
        {field.description && (
          <p className="text-ink3 text-note" id={`${id}-hint`}>
            {field.description}
          </p>
        )}
        {error && <FieldError id={id} error={error} />}
      </div>
    </div>
  );
}

const CONTROLS: Record<FieldType, (props: PaymentFieldProps) => ReactNode> = {
  text: TextField,
  email: TextField,
  number: TextField,
  tel: TextField,
  password: SecretField,
  textarea: LongField,
  select: ChoiceField,
  checkbox: CheckField,
};

export function PaymentField(props: PaymentFieldProps) {
  const Control = CONTROLS[props.field.type];
  return <Control {...props} />;
}

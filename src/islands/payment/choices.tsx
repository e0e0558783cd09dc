import type { PaymentField } from '#domain/payment-form.ts';
import { shownValue } from '#domain/payment-values.ts';
import { BARE_CONTROL, CheckBox, CONTROL, FieldError, FieldFrame, fieldAria } from '#islands/ui/Field.tsx';

export interface PaymentFieldProps {
  readonly id: string;
  readonly field: PaymentField;
  readonly value: string;
  readonly error: string | undefined;
  readonly className: string;
}

export const frameOf = ({ id, field, error, className }: PaymentFieldProps) => ({
  id,
  label: field.label,
  hint: field.description,
  error,
  className,
});

export const controlOf = ({ field, value }: PaymentFieldProps) => ({
  name: field.name,
  placeholder: field.placeholder,
  required: field.rules.required,
  defaultValue: shownValue(field, value),
});

export function LongField(props: PaymentFieldProps) {
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

export function ChoiceField(props: PaymentFieldProps) {
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

export function CheckField(props: PaymentFieldProps) {
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

import { useStore } from '@nanostores/react';
import type { SubmitEvent } from 'react';
import { formatPaise } from '#domain/money.ts';
import { type PaymentField as Field, sharesRow, visibleFields } from '#domain/payment-form.ts';
import { emptyRequired } from '#domain/payment-values.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary } from '#islands/ui/ErrorSummary.tsx';
import { OrderNumber } from '#islands/ui/Facts.tsx';
import { paths } from '#paths.ts';
import { readShownTotal } from '#stores/checkout/shown-total.ts';
import { $orderToPay, cameBackUnpaid } from '#stores/payment/payment.ts';
import { $paymentForm, type PaymentForm as Form, submitPaymentForm } from '#stores/payment/payment-form.ts';
import { PaymentField } from './PaymentField.tsx';

export function OrderToPay() {
  const { id, order } = useStore($orderToPay);
  const total = order?.amounts.total;
  const shown = readShownTotal(id);
  return (
    <>
      <dl className="payment-order">
        <div>
          <dt>Order</dt>
          <dd>
            <OrderNumber id={id} />
          </dd>
        </div>
        {total !== undefined && (
          <div>
            <dt>To pay</dt>
            <dd className="payment-amount">{formatPaise(total)}</dd>
          </div>
        )}
      </dl>
      {total !== undefined && shown !== undefined && total > shown && (
        <p className="payment-note" role="alert">
          {`Prices went up while you ordered: your cart came to ${formatPaise(shown)}. Pay only if you agree.`}
        </p>
      )}
    </>
  );
}

interface PaymentProblemProps {
  readonly form: Form;
  idOf(name: string): string;
}

const PaymentProblem = ({ form, idOf }: PaymentProblemProps) =>
  form.failure === undefined ? (
    <ErrorSummary
      title="There is a problem"
      attempt={form.attempt}
      errors={[...form.errors].map(([name, text]) => ({ fieldId: idOf(name), text }))}
    />
  ) : (
    <>
      <ErrorSummary title="Payment not started" text={form.failure} attempt={form.attempt} />
      <a className="payment-back" href={paths.checkout}>
        Return to checkout
      </a>
    </>
  );

const CameBack = () => (
  <p className="payment-note" role="alert">
    The payment did not go through. You can pay again.
  </p>
);

/** The server defines the fields. Without fields the form is only the button. */
export function PaymentForm({ fields }: { readonly fields: readonly Field[] }) {
  const form = useStore($paymentForm);
  const visible = visibleFields(fields, form.values);
  const missing = emptyRequired(fields, form.values).map(({ label }) => label);
  const working = form.status === 'working';
  const hasProblem = form.failure !== undefined || form.errors.size > 0;
  const idOf = (name: string): string => `payment-field-${fields.findIndex((field) => field.name === name)}`;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void submitPaymentForm();
  };

  return (
    <form
      id="payment-form"
      className="payment-form"
      aria-label="Payment"
      tabIndex={-1}
      noValidate
      onSubmit={submit}
    >
      {hasProblem && <PaymentProblem form={form} idOf={idOf} />}
      {!hasProblem && cameBackUnpaid() && <CameBack />}
      <div className="payment-fields">
        {visible.map((field, index) => (
          <PaymentField
            key={field.name}
            id={idOf(field.name)}
            field={field}
            value={form.values.get(field.name) ?? ''}
            error={form.errors.get(field.name)}
            className={sharesRow(visible, index) ? 'payment-half' : ''}
          />
        ))}
      </div>
      <div className="payment-submit">
        <Button
          type="submit"
          size="large"
          busy={working}
          inactive={missing.length > 0}
          onInactive={() => void submitPaymentForm()}
          describedBy="payment-missing"
        >
          {working ? 'Processing...' : 'Pay Now'}
        </Button>
        <p className="field-hint" id="payment-missing">
          {missing.length > 0 && `Still needed: ${missing.join(', ')}`}
        </p>
      </div>
    </form>
  );
}

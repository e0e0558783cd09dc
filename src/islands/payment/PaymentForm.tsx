import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { toPay } from '#domain/order-amounts.ts';
import { type PaymentField as Field, sharesRow, visibleFields } from '#domain/payment-form.ts';
import { emptyRequired } from '#domain/payment-values.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary } from '#islands/ui/ErrorSummary.tsx';
import { type Fact, Facts, OrderNumber } from '#islands/ui/Facts.tsx';
import { useStoredForm } from '#islands/ui/use-stored-form.ts';
import { paths } from '#paths.ts';
import { readShownTotal } from '#stores/checkout/shown-total.ts';
import { $orderToPay, hasReturnedUnpaid, loadPayment } from '#stores/payment/payment.ts';
import {
  $paymentForm,
  type PaymentForm as Form,
  storedPaymentForm,
  submitPaymentForm,
} from '#stores/payment/payment-form.ts';
import { PaymentField } from './PaymentField.tsx';

export const Amount = ({ children }: { readonly children: ReactNode }) => (
  <span className="font-heavy text-title [font-variant-numeric:tabular-nums]">{children}</span>
);

const NOTE = 'max-w-170 rounded-panel border-2 border-error px-4.5 py-3.5 font-semibold';

export function OrderToPay() {
  const { id, order } = useStore($orderToPay);
  const total = order?.amounts.total;
  const shown = readShownTotal(id);
  const facts: Fact[] = [['Order', <OrderNumber key="order" id={id} {...order} />]];
  if (order) facts.push(['To pay', <Amount key="total">{formatPaise(toPay(order))}</Amount>]);
  return (
    <>
      <Facts
        facts={facts}
        className="mt-4 flex min-h-20 max-w-170 flex-wrap items-center justify-between gap-x-8 gap-y-2 rounded-panel bg-mist px-4 py-3.5 md:mt-5 md:px-5"
        rowClass="[&>dd]:font-strong"
      />
      {order?.paymentStartedAt && !hasReturnedUnpaid() && (
        <div className={`${NOTE} mt-4 grid justify-items-start gap-2`} role="status">
          <p>
            A payment for this order is under way. If you have paid, do not pay again: it may take a few
            minutes to arrive.
          </p>
          <Button variant="outline" size="small" onClick={() => void loadPayment()}>
            Check again
          </Button>
        </div>
      )}
      {total !== undefined && shown !== undefined && total > shown && (
        <p className={`${NOTE} mt-4`} role="alert">
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
      <ErrorSummary
        title="Payment not started"
        text={form.failure}
        attempt={form.attempt}
        className="[&_p]:mt-1"
      />
      <a className="inline-flex min-h-11 items-center justify-self-start font-semibold" href={paths.checkout}>
        Return to checkout
      </a>
    </>
  );

const ReturnedUnpaid = () => (
  <p className={NOTE} role="alert">
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
  const { send, formProps } = useStoredForm(storedPaymentForm, submitPaymentForm);

  return (
    <form
      id="payment-form"
      className="mt-5 grid max-w-170 gap-4 md:mt-6"
      aria-label="Payment"
      tabIndex={-1}
      {...formProps}
    >
      {hasProblem && <PaymentProblem form={form} idOf={idOf} />}
      {!hasProblem && hasReturnedUnpaid() && <ReturnedUnpaid />}
      <div className="grid gap-4 empty:hidden md:grid-cols-2">
        {visible.map((field, index) => (
          <PaymentField
            key={field.name}
            id={idOf(field.name)}
            field={field}
            value={form.values.get(field.name) ?? ''}
            error={form.errors.get(field.name)}
            className={`min-w-0 ${sharesRow(visible, index) ? '' : 'md:col-span-full'}`}
          />
        ))}
      </div>
      <div className="grid gap-2 md:justify-items-start">
        <Button
          type="submit"
          size="large"
          className="md:min-w-60"
          busy={working}
          inactive={missing.length > 0}
          onInactive={send}
          describedBy="payment-missing"
        >
          {working ? 'Processing...' : 'Pay Now'}
        </Button>
        <p className="text-ink3 text-note" id="payment-missing">
          {missing.length > 0 && `Still needed: ${missing.join(', ')}`}
        </p>
      </div>
    </form>
  );
}

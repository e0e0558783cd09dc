import { ErrorSummary } from '#islands/ui/ErrorSummary.tsx';
import { paths } from '#paths.ts';
import type { PaymentForm } from '#stores/payment/payment-form.ts';

interface PaymentProblemProps {
  readonly form: PaymentForm;
  /** Returns the id of a field's control. */
  idOf(name: string): string;
}

/** What is wrong with the form, or why the payment did not start. */
export const PaymentProblem = ({ form, idOf }: PaymentProblemProps) =>
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

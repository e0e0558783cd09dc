import { atom } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import { isPaid, isPayable } from '#domain/order-status.ts';
import {
  type Handover,
  PAYMENT_FAILED,
  PAYMENT_VALID_MS,
  type PaymentStep,
  paymentStep,
} from '#domain/payment.ts';
import { fieldError, type PaymentField, validatePaymentForm } from '#domain/payment-form.ts';
import type { RedirectRules } from '#domain/payment-target.ts';
import { initialValues, normaliseInput, shownValue, submittedFields } from '#domain/payment-values.ts';
import { paths } from '#paths.ts';
import { endsSession } from '#stores/account/private-page.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { goTo, leaveFor, replaceWith } from '#stores/shell/navigation.ts';
import { pause } from '#stores/shell/pause.ts';
import type { StoredForm } from '#stores/shell/stored-form.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import {
  $orderToPay,
  $payment,
  closeIfSettled,
  fetchOrderToPay,
  loadPayment,
  showPaymentError,
} from './payment.ts';
import { clearPending, storePending } from './pending-payment.ts';

export interface PaymentForm {
  readonly status: 'editing' | 'working';
  /** By field name; a Map, because a name may be `__proto__`. */
  readonly values: ReadonlyMap<string, string>;
  readonly errors: ReadonlyMap<string, string>;
  readonly failure?: string;
  /** The number of failed attempts. The error summary takes the focus when it changes. */
  readonly attempt: number;
}

const NEW_FORM: PaymentForm = { status: 'editing', values: new Map(), errors: new Map(), attempt: 0 };

export const $paymentForm = atom<PaymentForm>(NEW_FORM);

const fieldsOnShow = (): readonly PaymentField[] => {
  const payment = $payment.get();
  return payment.view === 'form' ? payment.fields : [];
};

$payment.listen((payment, previous) => {
  if (payment.view === 'form' && previous?.view !== 'form') {
    $paymentForm.set({ ...NEW_FORM, values: initialValues(payment.fields) });
  } else if (payment.view === 'loading') $paymentForm.set(NEW_FORM);
});

function changePaymentField(name: string, input: string): void {
  const form = $paymentForm.get();
  const field = fieldsOnShow().find((candidate) => candidate.name === name);
  if (!field || form.status === 'working') return;
  const value = normaliseInput(field, input, form.values.get(name));
  const values = new Map(form.values).set(name, value);
  const errors = new Map(form.errors);
  const text = errors.has(name) ? fieldError(field, value) : undefined;
  if (text) errors.set(name, text);
  else errors.delete(name);
  $paymentForm.set({ ...form, values, errors });
}

export const storedPaymentForm: StoredForm = {
  texts: () => {
    const { values } = $paymentForm.get();
    return new Map(
      fieldsOnShow().map((field) => [field.name, shownValue(field, values.get(field.name) ?? '')]),
    );
  },
  change: changePaymentField,
  listen: (changed) => $paymentForm.listen(changed),
};

/** Hosts that a payment may open. Set at build; an empty list allows every host. */
const paymentHosts = (import.meta.env.PUBLIC_PAYMENT_HOSTS ?? '')
  .split(',')
  .map((host) => host.trim().toLowerCase())
  .filter((host) => host !== '');

const rules = (): RedirectRules => ({ local: location.hostname === 'localhost', paymentHosts });

function endAttempt(problem: Partial<PaymentForm>): void {
  const { values, attempt } = $paymentForm.get();
  $paymentForm.set({ status: 'editing', values, errors: new Map(), attempt: attempt + 1, ...problem });
}

function fail(text: string): void {
  endAttempt({ failure: text });
  void closeIfSettled();
}

function showQr(handover: Handover): void {
  const validUntil = Date.now() + PAYMENT_VALID_MS;
  storePending({ orderId: $orderToPay.get().id, handover, validUntil });
  $payment.set({ view: 'qr', handover, validUntil });
}

/**
 * Leaves the page by posting a form. `checkedUrl` must have passed `domain/payment-target.ts`. A field named 'submit'
 * would hide the form's method, so the prototype's method is called.
 */
function postForm(checkedUrl: string, fields: readonly (readonly [name: string, value: string])[]): void {
  const form = Object.assign(document.createElement('form'), {
    method: 'post',
    action: checkedUrl,
    hidden: true,
  });
  for (const [name, value] of fields)
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
}

type StepOf<Kind extends PaymentStep['kind']> = Extract<PaymentStep, { kind: Kind }>;

/** After this time the gateway's page has not opened: it does not answer, or a rule of the browser forbids it. */
const LEAVE_WAIT_MS = 25_000;

/** The form stays busy while the page is left, so that nothing is sent twice. */
const STEPS: { readonly [Kind in PaymentStep['kind']]: (step: StepOf<Kind>) => void } = {
  post: ({ url, fields }) => postForm(url, fields),
  navigate: ({ url }) => leaveFor(url),
  'open-app': ({ url }) => {
    const isUpi = /^upi:/i.test(url);
    showQr({ link: url, ...(isUpi ? { text: url } : {}) });
    leaveFor(url);
  },
  qr: ({ text, image }) => {
    const link = text !== undefined && /^upi:\/\//i.test(text) ? { link: text } : {};
    const code = text === undefined ? {} : { text };
    showQr({ ...code, ...link, ...(image === undefined ? {} : { image }) });
  },
  initiated: () => {
    notifyNextPage({ title: 'Payment initiated', text: 'Your payment is being processed' });
    goTo(paths.orders);
  },
  failed({ text, target = '' }) {
    if (!fieldsOnShow().some(({ name }) => name === target)) return fail(text);
    notify(INVALID);
    endAttempt({ errors: new Map([[target, text]]) });
  },
  broken: () => showPaymentError(),
};

function perform<Kind extends PaymentStep['kind']>(step: StepOf<Kind> & { kind: Kind }): void {
  STEPS[step.kind](step);
}

function refuse(failure: Failure): void {
  if (!endsSession(failure)) fail((failure.kind === 'refused' && failure.error) || PAYMENT_FAILED);
}

const INVALID = {
  title: 'Validation Error',
  text: 'Please correct the errors in the form',
  tone: 'error',
} as const;

/** The fields of the last submitted form; undefined after a reload. */
let sentFields: readonly PaymentField[] | undefined;

export async function payAnotherWay(): Promise<void> {
  clearPending();
  await loadPayment();
}

const NOT_STARTED = { title: 'Error', text: PAYMENT_FAILED, tone: 'error' } as const;

/**
 * Starts another payment for the same order with the same values. Fetches the order first: if it has been paid, or
 * cannot be loaded, no payment starts.
 */
export async function payAgain(): Promise<void> {
  const { values } = $paymentForm.get();
  const pending = $payment.get();
  clearNotice(NOT_STARTED);
  const answer = await fetchOrderToPay();
  if (pending.view !== 'qr' || $payment.get() !== pending) return;
  if (answer === undefined) return notify(NOT_STARTED);
  const { order } = $orderToPay.get();
  if (order && isPaid(order)) return replaceWith(paths.orderSuccess);
  if (order && !isPayable(order)) return $payment.set({ view: 'closed', order });
  if (!sentFields) return payAnotherWay();
  clearPending();
  $payment.set({ view: 'form', fields: sentFields });
  $paymentForm.set({ ...NEW_FORM, values });
  await submitPaymentForm();
}

/** Starts at most one payment at a time. */
export async function submitPaymentForm(): Promise<void> {
  const form = $paymentForm.get();
  if (form.status === 'working' || $payment.get().view !== 'form') return;
  const fields = fieldsOnShow();
  const errors = validatePaymentForm(fields, form.values);
  if (errors.size > 0) {
    notify(INVALID);
    return endAttempt({ errors });
  }
  $paymentForm.set({ ...form, status: 'working', errors: new Map() });
  clearNotice(INVALID);
  sentFields = fields;
  try {
    const { submitPayment } = await import('#api/payments.ts');
    const result = await submitPayment($orderToPay.get().id, submittedFields(fields, form.values));
    // The page was left or the session has ended.
    if ($payment.get().view !== 'form') return;
    if (!result.ok) return refuse(result.failure);
    const working = $paymentForm.get();
    perform(paymentStep(result.value, rules()));
    void pause(LEAVE_WAIT_MS).then(() => {
      if ($payment.get().view === 'form' && $paymentForm.get() === working) fail(PAYMENT_FAILED);
    });
  } catch {
    fail(PAYMENT_FAILED);
  }
}

import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { formatPaise, formatRupees } from '#domain/money.ts';
import { toPay } from '#domain/order-amounts.ts';
import { type Handover, upiDetails } from '#domain/payment.ts';
import { Button, ButtonLink, CopyButton } from '#islands/ui/Button.tsx';
import { type Fact, Facts, OrderNumber } from '#islands/ui/Facts.tsx';
import { useLazyComponent } from '#islands/ui/hooks.ts';
import { Icon } from '#islands/ui/icons.tsx';
import { $orderToPay, discardPayment, showPaymentError } from '#stores/payment/payment.ts';
import { payAgain, payAnotherWay } from '#stores/payment/payment-form.ts';
import { $paymentWatch, $secondsLeft, checkAgain, watchPayment } from '#stores/payment/payment-watch.ts';
import { Amount } from './PaymentForm.tsx';

/** Only a UPI link names a payee. If it has no amount, what the order owes is shown. */
function QrFacts({ code }: { readonly code: string }) {
  const { id, order } = useStore($orderToPay);
  const { amount, payee } = upiDetails(code) ?? {};
  const owed = order && formatPaise(toPay(order));
  const shown = amount === undefined ? owed : formatRupees(amount);
  const facts: readonly Fact[] = [
    ['Amount', shown && <Amount key="amount">{shown}</Amount>],
    ['Pay to', payee],
    ['Order', <OrderNumber key={id} id={id} {...order} />],
  ];
  return (
    <Facts
      facts={facts.filter(([, value]) => value)}
      className="flex flex-wrap gap-x-8 gap-y-2.5"
      // The order's number arrives later and is longer than its id: on a phone it has a row of its own from the start.
      rowClass="max-md:last:w-full [&>dd]:font-strong"
    />
  );
}

const COPY =
  'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2';
const SMARTPHONE = 'M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2M12 18h.01';

const LAST_STEP = 'Come back to this page: it goes on by itself when the payment has arrived.';

const fetchCode = () => import('./QrCode.tsx').then(({ QrCode }) => QrCode);

function GeneratedCode({ text }: { readonly text: string }) {
  const Code = useLazyComponent(true, fetchCode, showPaymentError);
  return Code && <Code text={text} />;
}

/** The QR code, rendered from its text, or the server's image of it. */
function QrPicture({ text, image }: Handover) {
  if (text === undefined && image === undefined) return null;
  return (
    <div className="grid size-72 max-w-full place-items-center justify-self-center rounded-card border border-[#dce3db] bg-white forced-color-adjust-none *:size-64 *:max-w-full md:col-start-1 md:row-[2/4]">
      {text === undefined ? (
        <img src={image} width={256} height={256} alt="QR code of the payment" onError={discardPayment} />
      ) : (
        <GeneratedCode text={text} />
      )}
    </div>
  );
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

function PaymentWatch() {
  const hasStopped = useStore($paymentWatch) === 'stopped';
  const secondsLeft = useStore($secondsLeft);
  const isOver = secondsLeft === 0;
  const [isRetrying, setRetrying] = useState(false);
  useEffect(watchPayment, []);
  const tryAgain = async (): Promise<void> => {
    setRetrying(true);
    await payAgain();
    setRetrying(false);
  };
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-3 font-semibold text-ink2">
      <p role="status">
        {hasStopped || isOver ? 'No payment has arrived yet.' : 'Waiting for your payment …'}
      </p>
      <p role="timer">
        {isOver ? (
          'The time for this payment is over. If you have paid, check again; if not, try again.'
        ) : (
          <span>
            Pay within <b>{clock(secondsLeft)}</b>
          </span>
        )}
      </p>
      {(hasStopped || isOver) && (
        <Button variant="outline" onClick={checkAgain}>
          Check again
        </Button>
      )}
      {isOver && (
        <Button busy={isRetrying} onClick={() => void tryAgain()}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** By what the customer can do: scan a code, open an app on this device, or both. */
const INSTRUCTIONS = {
  both: {
    title: 'Scan to pay',
    open: 'Open UPI app',
    steps: [
      'Open your UPI app with the button.',
      'Or scan this code. It is for the camera of another phone.',
      'Check the amount, and pay.',
      LAST_STEP,
    ],
  },
  scan: {
    title: 'Scan to pay',
    open: 'Open UPI app',
    steps: ['Open any UPI app on your phone.', 'Scan this code.', 'Check the amount, and pay.', LAST_STEP],
  },
  app: {
    title: 'Pay in the app',
    open: 'Open payment app',
    steps: ['Open the payment app.', 'Check the amount, and pay.', LAST_STEP],
  },
} as const;

/** Whether this device is a phone or a tablet, which may have a payment app. */
const isHandheld = (): boolean => matchMedia('(pointer: coarse)').matches;

function instructionsFor({ text, image, link }: Handover, handheld: boolean) {
  if (text === undefined && image === undefined) return INSTRUCTIONS.app;
  return handheld && link !== undefined ? INSTRUCTIONS.both : INSTRUCTIONS.scan;
}

/** A phone shows the button for its app first, a desktop the code. */
export function QrView({ handover }: { readonly handover: Handover }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    // The button that closed this view is removed with it, so the focus moves to the page.
    return () => document.getElementById('main')?.focus();
  }, []);
  const handheld = isHandheld();
  const { text, link } = handover;
  const { title, open, steps } = instructionsFor(handover, handheld);
  const picture = <QrPicture {...handover} />;
  return (
    <section
      className="mt-4 grid gap-5 md:grid-cols-[288px_1fr] md:grid-rows-[auto_auto_1fr] md:gap-x-11"
      aria-labelledby="qr-title"
    >
      <h2
        id="qr-title"
        className="text-display focus:outline-none md:col-span-full focus:[box-shadow:none]"
        tabIndex={-1}
        ref={heading}
      >
        {title}
      </h2>
      {!handheld && picture}
      <div className="grid gap-4 md:col-start-2 md:justify-items-start">
        <QrFacts code={text ?? link ?? ''} />
        {link && (
          <ButtonLink
            {...(handheld
              ? { size: 'large', className: 'md:min-h-12 md:px-5.5 md:text-base' }
              : { variant: 'outline' })}
            href={link}
          >
            <Icon path={SMARTPHONE} /> <span>{open}</span>
          </ButtonLink>
        )}
      </div>
      {handheld && picture}
      <div className="grid justify-items-start gap-5 md:col-start-2">
        <PaymentWatch />
        <ol className="grid gap-3 [counter-reset:step]">
          {steps.map((step) => (
            <li
              className="grid grid-cols-[32px_1fr] gap-3 [counter-increment:step] before:static before:-mt-0.75 before:grid before:h-8 before:place-items-center before:rounded-full before:bg-leaf-tint before:font-bold before:content-[counter(step)]"
              key={step}
            >
              {step}
            </li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-2">
          {link && (
            <CopyButton text={link} copied="The payment link is in your clipboard.">
              <Icon path={COPY} size={18} /> Copy payment link
            </CopyButton>
          )}
          <Button variant="outline" size="small" onClick={() => void payAnotherWay()}>
            Pay another way
          </Button>
        </div>
      </div>
    </section>
  );
}

import { useEffect, useRef } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { copyText } from '#stores/clipboard.ts';
import type { Handover } from '#stores/payment.ts';
import { CopyIcon, SmartphoneIcon } from './icons.tsx';
import { PaymentWatch } from './PaymentWatch.tsx';
import { QrFacts } from './QrFacts.tsx';
import { QrPicture } from './QrPicture.tsx';

const LAST_STEP = 'Come back to this page: it goes on by itself when the payment has arrived.';

/** By whether there is a code to scan. */
const WAYS = {
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

/** The code, how to pay with it, and a watch on the order (spec 2, payment; resolutions 39). */
export function QrView({ handover }: { readonly handover: Handover }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { text, image, link } = handover;
  const { title, open, steps } = text === undefined && image === undefined ? WAYS.app : WAYS.scan;
  return (
    <section className="qr" aria-labelledby="qr-title">
      <h2 id="qr-title" tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <div className="qr-details">
        <QrFacts code={text ?? link ?? ''} />
        {link && (
          <a className="btn btn-lg qr-open" href={link}>
            <SmartphoneIcon /> {open}
          </a>
        )}
      </div>
      <QrPicture {...handover} />
      <div className="qr-how">
        <ol className="qr-steps">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {link && (
          <Button
            look="outline"
            size="small"
            onClick={() => void copyText(link, 'The payment link is in your clipboard.')}
          >
            <CopyIcon size={18} /> Copy payment link
          </Button>
        )}
        <PaymentWatch />
      </div>
    </section>
  );
}

import { type ComponentType, useEffect, useState } from 'react';
import type { Handover } from '#domain/payment-handover.ts';
import { showPaymentError } from '#stores/payment/payment.ts';

/** Draws the QR code once the library for it has loaded. */
function DrawnCode({ text }: { readonly text: string }) {
  const [Code, setCode] = useState<ComponentType<{ text: string }>>();
  useEffect(() => {
    let isWanted = true;
    import('./QrCode.tsx').then(
      ({ QrCode }) => isWanted && setCode(() => QrCode),
      () => isWanted && showPaymentError(),
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return Code && <Code text={text} />;
}

/** The QR code: drawn from its text, or the server's picture. */
export function QrPicture({ text, image }: Handover) {
  if (text === undefined && image === undefined) return null;
  return (
    <div className="qr-picture">
      {text === undefined ? (
        <img src={image} width={256} height={256} alt="QR code of the payment" onError={showPaymentError} />
      ) : (
        <DrawnCode text={text} />
      )}
    </div>
  );
}

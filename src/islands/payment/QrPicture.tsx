import type { Handover } from '#domain/payment.ts';
import { useLazyComponent } from '#islands/ui/hooks.ts';
import { showPaymentError } from '#stores/payment/payment.ts';

const fetchCode = () => import('./QrCode.tsx').then(({ QrCode }) => QrCode);

function GeneratedCode({ text }: { readonly text: string }) {
  const Code = useLazyComponent(true, fetchCode, showPaymentError);
  return Code && <Code text={text} />;
}

/** The QR code, rendered from its text, or the server's image of it. */
export function QrPicture({ text, image }: Handover) {
  if (text === undefined && image === undefined) return null;
  return (
    <div className="qr-picture">
      {text === undefined ? (
        <img src={image} width={256} height={256} alt="QR code of the payment" onError={showPaymentError} />
      ) : (
        <GeneratedCode text={text} />
      )}
    </div>
  );
}

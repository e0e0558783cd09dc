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
    <div className="grid size-72 max-w-full place-items-center justify-self-center rounded-card border border-[#dce3db] bg-white forced-color-adjust-none *:size-64 *:max-w-full md:col-start-1 md:row-[2/4]">
      {text === undefined ? (
        <img src={image} width={256} height={256} alt="QR code of the payment" onError={showPaymentError} />
      ) : (
        <GeneratedCode text={text} />
      )}
    </div>
  );
}

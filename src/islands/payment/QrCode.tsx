import { QRCodeSVG } from 'qrcode.react';

/** CSS pixels. */
const SIZE = 256;
/** The white margin around the code that scanners need, in modules. */
const QUIET_ZONE = 4;

/** Always black on white, on a dark page too, because scanners may not read other colours. */
export const QrCode = ({ text }: { readonly text: string }) => (
  <QRCodeSVG
    value={text}
    size={SIZE}
    level="L"
    marginSize={QUIET_ZONE}
    bgColor="#ffffff"
    fgColor="#000000"
    role="img"
    title="QR code of the payment"
  />
);

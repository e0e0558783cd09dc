import { QRCodeSVG } from 'qrcode.react';

/** CSS pixels (spec 9). */
const SIZE = 256;
/** Modules of white around the code that a scanner needs. */
const QUIET_ZONE = 4;

/** On white with its quiet zone, on a dark page too: scanners read no other. */
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

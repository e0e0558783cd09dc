import { QRCodeSVG } from 'qrcode.react';

/** Units: CSS pixels. */
const SIZE = 256;
/** The white margin that scanners need. Units: modules of the code. */
const QUIET_ZONE = 4;

/** Black on white even on a dark page, because scanners may not read other colours. */
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

import { type Fields, fieldsOf } from './json.ts';
import { isPrice, type Rupees } from './money.ts';
import { isAppLink, type RedirectRules, safeDeepLink, safePaymentUrl } from './payment-target.ts';

/** After this time the shopper must start a new payment. */
export const PAYMENT_VALID_MS = 5 * 60_000;

export interface PaymentAction {
  readonly type: string;
  readonly redirectUrl?: string | undefined;
  readonly formParams?:
    | {
        readonly type: string;
        readonly url: string;
        readonly data: ReadonlyMap<string, string>;
      }
    | undefined;
  readonly qr?: string | undefined;
  readonly qrBase64?: string | undefined;
}

export interface PaymentResponse {
  readonly success: boolean;
  readonly error?: string | undefined;
  /** The name of the field that the error is about. */
  readonly target?: string | undefined;
  readonly redirectUrl?: string | undefined;
  readonly action?: PaymentAction | undefined;
}

export type PaymentStep =
  | { readonly kind: 'post'; readonly url: string; readonly fields: readonly (readonly [string, string])[] }
  | { readonly kind: 'navigate'; readonly url: string }
  /** Opens a payment app while the page stays open and polls the order. */
  | { readonly kind: 'open-app'; readonly url: string }
  | { readonly kind: 'qr'; readonly text?: string; readonly image?: string }
  | { readonly kind: 'initiated' }
  | { readonly kind: 'failed'; readonly text: string; readonly target?: string | undefined }
  /** The QR code cannot be rendered, so the payment cannot continue. */
  | { readonly kind: 'broken' };

export const PAYMENT_FAILED = 'Failed to process payment. Please try again later.';
const PAYMENT_UNKNOWN_ERROR = 'Unknown error occurred during payment process';

/** The longest text of a QR code with low error correction, in bytes. */
const QR_TEXT_LIMIT = 2_953;
/** The length of a picture of 256 KB in base64. */
const QR_IMAGE_LIMIT = Math.ceil((256 * 1024 * 4) / 3);

const failed: PaymentStep = { kind: 'failed', text: PAYMENT_FAILED };

function post(response: PaymentResponse, rules: RedirectRules): PaymentStep {
  const { action } = response;
  const url = safePaymentUrl(action?.redirectUrl || response.redirectUrl || action?.formParams?.url, rules);
  if (url === undefined) return failed;
  const { formParams } = action ?? {};
  const data = [...(formParams?.data ?? [])].map(([key, value]) => [`data[${key}]`, value] as const);
  return {
    kind: 'post',
    url,
    fields: [['type', formParams?.type ?? ''], ['url', formParams?.url ?? ''], ...data],
  };
}

function deeplink({ action, redirectUrl }: PaymentResponse, rules: RedirectRules): PaymentStep {
  const url = safeDeepLink(action?.redirectUrl || redirectUrl, rules);
  if (url === undefined) return failed;
  return { kind: isAppLink(url) ? 'open-app' : 'navigate', url };
}

/** Returns a PNG or JPEG of at most 256 KB as a data URL, else undefined. */
export function qrImage(base64: string): string | undefined {
  if (base64.length > QR_IMAGE_LIMIT * 2) return undefined;
  const body = base64
    .trim()
    .replace(/^data:image\/(?:png|jpe?g);base64,/i, '')
    .replace(/\s/g, '');
  const format = body.startsWith('iVBORw0KGgo') ? 'png' : body.startsWith('/9j/') ? 'jpeg' : undefined;
  if (!format || body.length > QR_IMAGE_LIMIT || !/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return undefined;
  return `data:image/${format};base64,${body}`;
}

/** Whether a QR code can hold the text. The encoder throws on a lone surrogate. */
const fitsQrCode = (text: string): boolean =>
  text !== '' && !/\p{Cs}/u.test(text) && new TextEncoder().encode(text).length <= QR_TEXT_LIMIT;

function qr({ action }: PaymentResponse): PaymentStep {
  if (action?.qr && fitsQrCode(action.qr)) return { kind: 'qr', text: action.qr };
  const image = action?.qrBase64 ? qrImage(action.qrBase64) : undefined;
  return image === undefined ? { kind: 'broken' } : { kind: 'qr', image };
}

const ACTIONS: Readonly<Record<string, (response: PaymentResponse, rules: RedirectRules) => PaymentStep>> = {
  redirect_post: post,
  deeplink,
  qr,
};

/** Returns the next step of a payment; 'failed' if its URL is not allowed. */
export function paymentStep(response: PaymentResponse, rules: RedirectRules): PaymentStep {
  const { action, redirectUrl, error, target } = response;
  if (!response.success) return { kind: 'failed', text: error || PAYMENT_UNKNOWN_ERROR, target };
  if (action) {
    const perform = Object.hasOwn(ACTIONS, action.type) ? ACTIONS[action.type] : undefined;
    if (perform) return perform(response, rules);
  }
  if (redirectUrl === undefined || redirectUrl === '') return action ? failed : { kind: 'initiated' };
  const url = safePaymentUrl(redirectUrl, rules);
  return url === undefined ? failed : { kind: 'navigate', url };
}

export interface UpiDetails {
  readonly amount?: Rupees;
  readonly payee?: string;
}

/** Reads amount (rupees) and payee from a `upi://pay` link. Returns undefined for other links. */
export function upiDetails(text: string): UpiDetails | undefined {
  if (!/^upi:\/\//i.test(text)) return undefined;
  const query = new URLSearchParams(text.replace(/^[^?]*/, ''));
  const amount = Number(query.get('am') || Number.NaN);
  const payee = query.get('pn') || query.get('pa');
  return {
    ...(isPrice(amount) ? { amount } : {}),
    ...(payee ? { payee } : {}),
  };
}

/** How the shopper pays outside this page: a QR code, a payment app, or both. */
export interface Handover {
  readonly text?: string;
  /** A picture of a QR code, as a data URL. */
  readonly image?: string;
  /** A payment app's link from the allow-list. */
  readonly link?: string;
}

/** Reads a stored handover. Checks it like a server response, because other scripts may write to the storage. */
export function decodeHandover(value: unknown): Handover | undefined {
  const { text, image, link }: Fields<keyof Handover> = fieldsOf(value);
  const picture = typeof image === 'string' ? qrImage(image) : undefined;
  const handover: Handover = {
    ...(typeof text === 'string' && fitsQrCode(text) ? { text } : {}),
    ...(picture === undefined ? {} : { image: picture }),
    ...(typeof link === 'string' && isAppLink(link) ? { link } : {}),
  };
  return Object.keys(handover).length > 0 ? handover : undefined;
}

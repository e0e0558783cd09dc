import { atom } from 'nanostores';
import { isSignedOut } from '#api/failure.ts';
import type { Order } from '#domain/order.ts';
import { tidyCode, tidySigns } from '#domain/text.ts';
import { privateSection } from '#stores/account/private-page.ts';
import { $session, refreshSession, setAccount } from '#stores/account/session.ts';
import { queryParam } from '#stores/shell/address.ts';
import { onVisible, stopAll } from '#stores/shell/events.ts';
import { inTime } from '#stores/shell/pause.ts';
import { clearNotice, type Notice, notify } from '#stores/shell/toasts.ts';

export const TRACK_FIELDS = ['orderId', 'contactInfo'] as const;
export type TrackRequest = Readonly<Record<(typeof TRACK_FIELDS)[number], string>>;

interface Problem {
  readonly title: string;
  readonly text?: string;
}

export interface TrackPage {
  readonly status: 'editing' | 'searching' | 'found' | 'failed';
  readonly order?: Order;
  readonly errors: Partial<TrackRequest>;
  readonly problem?: Problem;
  /** The number of finished attempts. The result takes the focus when it changes. */
  readonly attempt: number;
}

export const NEW_TRACK: TrackPage = { status: 'editing', errors: {}, attempt: 0 };

export const $track = atom<TrackPage>(NEW_TRACK);

const REQUIRED = { title: 'Required fields', text: 'Please enter both order number and email/phone' };
const FAILED = {
  title: 'Error',
  text: 'Failed to find order. Please check your information and try again.',
};

const toOrderId = (text: string): string => tidyCode(text).replace(/^# ?/, '');

const MISSING: TrackRequest = {
  orderId: 'Enter the order number',
  contactInfo: 'Enter the email or phone of the order',
};

export function missingFields({ orderId, contactInfo }: TrackRequest): Partial<TrackRequest> {
  return {
    ...(toOrderId(orderId) === '' ? { orderId: MISSING.orderId } : {}),
    ...(tidySigns(contactInfo) === '' ? { contactInfo: MISSING.contactInfo } : {}),
  };
}

export const orderIdInAddress = (): string => toOrderId(queryParam('id') ?? '');

async function accountEmail(signal: AbortSignal): Promise<string> {
  const session = $session.get();
  if (session.status !== 'signed-in') return '';
  if (session.account) return session.account.email;
  try {
    const { fetchAccount } = await inTime(import('#api/account.ts'));
    const result = await fetchAccount({ signal });
    if (signal.aborted || $session.get().status !== 'signed-in') return '';
    if (result.ok) {
      setAccount(result.value);
      return result.value.email;
    }
    if (isSignedOut(result.failure)) refreshSession();
  } catch {
    // The code of the request could not be loaded. The customer can type the email.
  }
  return '';
}

/**
 * Passes the email of the signed-in customer to `onEmail`, and '' when the page is left or the session ends. The end of
 * the session also removes the found order. Returns a function that stops it.
 */
export function followAccount(onEmail: (email: string, before: string) => void): () => void {
  let lastEmail = '';
  const setEmail = (email: string): void => {
    onEmail(email, lastEmail);
    lastEmail = email;
  };
  /** The page as a signed-in customer left it. Restored if the session is still the same. */
  let hiddenPage: TrackPage | undefined;
  const hide = (): void => {
    setEmail('');
    if ($session.get().status !== 'signed-in' || $track.get().status !== 'found') return;
    hiddenPage = $track.get();
    $track.set(NEW_TRACK);
  };
  const load = async (signal: AbortSignal): Promise<void> => {
    if (hiddenPage) $track.set(hiddenPage);
    hiddenPage = undefined;
    const email = await accountEmail(signal);
    if (!signal.aborted) setEmail(email);
    await refreshFound();
  };
  return stopAll(
    onVisible(() => void refreshFound()),
    privateSection({ load, hide }).open(),
    $session.listen(({ status }, before) => {
      if (status === 'signed-in' || before?.status !== 'signed-in') return;
      hiddenPage = undefined;
      $track.set(NEW_TRACK);
    }),
  );
}

const finish = (page: Omit<TrackPage, 'attempt'>): void =>
  $track.set({ ...page, attempt: $track.get().attempt + 1 });

function fail(notice: Notice, problem: Problem, errors: Partial<TrackRequest> = {}): void {
  notify({ ...notice, tone: 'error' });
  finish({ status: 'failed', errors, problem });
}

let foundBy: TrackRequest | undefined;

const fetchTracked = async ({ orderId, contactInfo }: TrackRequest) =>
  (await inTime(import('#api/orders.ts'))).fetchTrackedOrder(toOrderId(orderId), tidySigns(contactInfo));

/** Fetches the order again, because it may have changed while this page was hidden. A failure changes nothing. */
async function refreshFound(): Promise<void> {
  const page = $track.get();
  if (page.status !== 'found' || !foundBy) return;
  const result = await fetchTracked(foundBy).catch(() => undefined);
  if (result?.ok && $track.get() === page) $track.set({ ...page, order: result.value });
}

const failToFind = (): void =>
  fail(FAILED, { title: 'We could not find this order', text: 'Check the number, and the email or phone.' });

/** Looks up the order while its view loads. If the view cannot be loaded, the order counts as not found. */
export async function findOrder(request: TrackRequest, loadView: () => Promise<void>): Promise<void> {
  const { status, attempt } = $track.get();
  if (status === 'searching') return;
  for (const notice of [REQUIRED, FAILED]) clearNotice(notice);
  const missing = missingFields(request);
  if (Object.keys(missing).length > 0) return fail(REQUIRED, { title: 'There is a problem' }, missing);
  const searching: TrackPage = { status: 'searching', errors: {}, attempt };
  $track.set(searching);
  // A sign-out in the meantime resets the page.
  const isStale = (): boolean => $track.get() !== searching;
  try {
    const [result] = await Promise.all([fetchTracked(request), inTime(loadView())]);
    if (isStale()) return;
    foundBy = request;
    if (result.ok) finish({ status: 'found', order: result.value, errors: {} });
    else failToFind();
  } catch {
    if (!isStale()) failToFind();
  }
}

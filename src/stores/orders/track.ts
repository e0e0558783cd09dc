import { atom } from 'nanostores';
import { isSignedOut } from '#api/failure.ts';
import type { Order } from '#domain/order.ts';
import { openPrivatePart } from '#stores/account/private-page.ts';
import { $session, knowAccount, refreshSession } from '#stores/account/session.ts';
import { type Notice, notify, withdraw } from '#stores/shell/toasts.ts';

export const TRACK_FIELDS = ['orderId', 'contactInfo'] as const;
export type TrackRequest = Readonly<Record<(typeof TRACK_FIELDS)[number], string>>;

interface Problem {
  readonly title: string;
  readonly text?: string;
}

export interface TrackPage {
  readonly status: 'asking' | 'searching' | 'found' | 'failed';
  readonly order?: Order;
  readonly errors: Partial<TrackRequest>;
  /** What stands above the form after a try that failed. */
  readonly problem?: Problem;
  /** Counts the tries that ended: each moves the focus to what became of it. */
  readonly attempt: number;
}

export const NEW_TRACK: TrackPage = { status: 'asking', errors: {}, attempt: 0 };

export const $track = atom<TrackPage>(NEW_TRACK);

const REQUIRED = { title: 'Required fields', text: 'Please enter both order number and email/phone' };
const FAILED = {
  title: 'Error',
  text: 'Failed to find order. Please check your information and try again.',
};

const toOrderId = (text: string): string => text.trim().replace(/^#/, '');

const MISSING: TrackRequest = {
  orderId: 'Enter the order number',
  contactInfo: 'Enter the email or phone of the order',
};

/** What is not there and must be (spec 5). */
export function missingFields({ orderId, contactInfo }: TrackRequest): Partial<TrackRequest> {
  return {
    ...(toOrderId(orderId) === '' ? { orderId: MISSING.orderId } : {}),
    ...(contactInfo.trim() === '' ? { contactInfo: MISSING.contactInfo } : {}),
  };
}

/** The order number the address asks for, or ''. */
export const askedOrderId = (): string => new URLSearchParams(location.search).get('id')?.trim() ?? '';

/** The email of the account that is signed in, or ''; never the session's placeholder (resolutions 28). */
async function accountEmail(signal: AbortSignal): Promise<string> {
  const session = $session.get();
  if (session.status !== 'signed-in') return '';
  if (session.account) return session.account.email;
  try {
    const { fetchAccount } = await import('#api/users.ts');
    const result = await fetchAccount({ signal });
    if (signal.aborted || $session.get().status !== 'signed-in') return '';
    if (result.ok) {
      knowAccount(result.value);
      return result.value.email;
    }
    if (isSignedOut(result.failure)) refreshSession();
  } catch {
    // The shopper types it.
  }
  return '';
}

/**
 * Tells the email of whoever is signed in, and '' when the page is left or the session ends; the order that was found
 * goes with the session (faults 44). Returns the way to stop.
 */
export function followAccount(tell: (email: string, before: string) => void): () => void {
  let told = '';
  let asking = new AbortController();
  const say = (email: string): void => {
    tell(email, told);
    told = email;
  };
  /** Of a page that is left by somebody who is signed in: theirs again when they come back. */
  let found: TrackPage | undefined;
  const hide = (): void => {
    asking.abort();
    say('');
    if ($session.get().status !== 'signed-in' || $track.get().status !== 'found') return;
    found = $track.get();
    $track.set(NEW_TRACK);
  };
  const load = async (): Promise<void> => {
    if (found) $track.set(found);
    found = undefined;
    asking = new AbortController();
    const { signal } = asking;
    const email = await accountEmail(signal);
    if (!signal.aborted) say(email);
  };
  const stops = [
    openPrivatePart({ load: () => void load(), hide }),
    $session.listen(({ status }, before) => {
      if (status === 'signed-in' || before?.status !== 'signed-in') return;
      found = undefined;
      $track.set(NEW_TRACK);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const end = (page: Omit<TrackPage, 'attempt'>): void =>
  $track.set({ ...page, attempt: $track.get().attempt + 1 });

function fail(notice: Notice, problem: Problem, errors: Partial<TrackRequest> = {}): void {
  notify({ ...notice, tone: 'error' });
  end({ status: 'failed', errors, problem });
}

const failToFind = (): void =>
  fail(FAILED, { title: 'We could not find this order', text: 'Check the number, and the email or phone.' });

/**
 * Looks the order up (spec 2, 5 and 8, track order), and meanwhile makes ready what shows it: an order that cannot be
 * shown counts as not found.
 */
export async function trackOrder(request: TrackRequest, makeReady: () => Promise<void>): Promise<void> {
  const { status, attempt } = $track.get();
  if (status === 'searching') return;
  for (const notice of [REQUIRED, FAILED]) withdraw(notice);
  const missing = missingFields(request);
  if (Object.keys(missing).length > 0) return fail(REQUIRED, { title: 'There is a problem' }, missing);
  const searching: TrackPage = { status: 'searching', errors: {}, attempt };
  $track.set(searching);
  // A sign-out meanwhile has emptied the page (faults 44).
  const isOver = (): boolean => $track.get() !== searching;
  try {
    const readiness = makeReady();
    const orders = await import('#api/orders.ts');
    const [result] = await Promise.all([
      orders.trackOrder(toOrderId(request.orderId), request.contactInfo.trim()),
      readiness,
    ]);
    if (isOver()) return;
    if (result.ok) end({ status: 'found', order: result.value, errors: {} });
    else failToFind();
  } catch {
    if (!isOver()) failToFind();
  }
}

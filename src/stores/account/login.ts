import { atom, onMount } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import { type Credentials, type FieldErrors, validateCredentials } from '#domain/account.ts';
import { safePath } from '#domain/redirect.ts';
import { notifyNextPage } from '#stores/shell/carried-notices.ts';
import { onReturn, replaceWith, takeRememberedPath } from '#stores/shell/navigation.ts';
import { readStored, removeStored, writeStored } from '#stores/shell/storage.ts';
import { notify, withdraw } from '#stores/shell/toasts.ts';
import { knownDevice, rememberDevice } from './known-device.ts';
import { serverText } from './server-text.ts';

export interface LoginForm {
  readonly status: 'editing' | 'working';
  readonly errors: FieldErrors<Credentials>;
  /** Why the last attempt failed. */
  readonly failure?: string;
  /** The number of failed attempts. */
  readonly attempt: number;
}

export const NEW_LOGIN: LoginForm = { status: 'editing', errors: {}, attempt: 0 };

export const $login = atom<LoginForm>(NEW_LOGIN);

onMount($login, () => onReturn(() => $login.set(NEW_LOGIN)));

const EMAIL_KEY = 'remembered-email';

/** The email that 'Remember me' stored on this device, or ''. */
export const rememberedEmail = (): string => readStored(EMAIL_KEY) ?? '';

const rememberEmail = (email: string, wanted: boolean): void => {
  if (wanted) writeStored(EMAIL_KEY, email.trim());
  else removeStored(EMAIL_KEY);
};

const MISSING_TOKEN = 'Authentication failed: Token is missing in the response';
const COOKIE_REFUSED =
  'This browser refuses the cookie that keeps you signed in. Allow cookies, then sign in again.';

/** The server's text, or else the specification's (spec 8; resolutions 27). */
const loginFailureText = (failure: Failure): string =>
  failure.kind === 'no-answer'
    ? 'No response from server. Please try again later.'
    : (serverText(failure) ?? 'Failed to login. Please check your credentials.');

const users = () => Promise.all([import('#api/users.ts'), import('#api/token.ts')]);

/** Loads the code of the sign-in in advance. */
export const prepareLogin = (): void => void users().catch(() => {});

const FAILED = { title: 'Login failed', tone: 'error' } as const;
/** The notice with which the checkout sends visitors here. */
const REQUIRED = { title: 'Login Required' };

function fail(text: string): void {
  $login.set({ status: 'editing', errors: {}, failure: text, attempt: $login.get().attempt + 1 });
  notify({ ...FAILED, text });
}

/** Signs in and goes to the page that the visitor came from, or home (spec 2 and 5, login). */
export async function logIn(credentials: Credentials, remember: boolean): Promise<void> {
  const { status, attempt } = $login.get();
  if (status === 'working') return;
  const errors = validateCredentials(credentials);
  if (Object.keys(errors).length > 0) {
    $login.set({ status: 'editing', errors, attempt: attempt + 1 });
    return;
  }
  $login.set({ status: 'working', errors: {}, attempt });
  for (const notice of [REQUIRED, FAILED]) withdraw(notice);
  try {
    const [{ authorize }, { keepToken, readToken }] = await users();
    const result = await authorize(credentials, knownDevice());
    if (!result.ok) return fail(loginFailureText(result.failure));
    if (result.value.token === undefined) return fail(MISSING_TOKEN);
    keepToken(result.value.token);
    if (readToken() !== result.value.token) return fail(COOKIE_REFUSED);
    rememberDevice(result.value.device);
  } catch {
    return fail(loginFailureText({ kind: 'no-answer' }));
  }
  rememberEmail(credentials.email, remember);
  notifyNextPage({ title: 'Logged in successfully.' });
  replaceWith(safePath(takeRememberedPath()));
}

import { readToken, storeToken } from '#api/token.ts';
import type { SignedIn } from '#api/users.ts';
import type { Credentials } from '#domain/account.ts';
import { safePath } from '#domain/redirect.ts';
import { takeRememberedPath } from '#stores/shell/address.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { replaceWith } from '#stores/shell/navigation.ts';
import { readStored, removeStored, writeStored } from '#stores/shell/storage.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import { failureText } from './failure-text.ts';
import { createAccountForm, knownDevice, rememberDevice } from './form.ts';

/** `rememberMe` is '' if the box is not ticked. */
type Login = Credentials & { readonly rememberMe: string };

const EMAIL_KEY = 'remembered-email';

export const rememberedEmail = (): string => readStored(EMAIL_KEY) ?? '';

const rememberEmail = ({ email, rememberMe }: Login): void => {
  if (rememberMe) writeStored(EMAIL_KEY, email.trim());
  else removeStored(EMAIL_KEY);
};

const MISSING_TOKEN = 'Authentication failed: Token is missing in the response';
const COOKIE_REFUSED =
  'This browser refuses the cookie that keeps you signed in. Allow cookies, then sign in again.';

const FAILED = { title: 'Login failed', tone: 'error' } as const;
const REQUIRED = { title: 'Login Required' };

function notifyFailure(text: string): string {
  notify({ ...FAILED, text });
  return text;
}

export const login = createAccountForm<Login, SignedIn>({
  send(users, { email, password }) {
    for (const notice of [REQUIRED, FAILED]) clearNotice(notice);
    return users.authorize({ email, password }, knownDevice());
  },
  explain: (failure) =>
    notifyFailure(failureText(failure, 'Failed to login. Please check your credentials.')),
  accept({ token, device }) {
    if (token === undefined) return notifyFailure(MISSING_TOKEN);
    storeToken(token);
    if (readToken() !== token) return notifyFailure(COOKIE_REFUSED);
    rememberDevice(device);
    return undefined;
  },
  done(_answer, fields) {
    rememberEmail(fields);
    notifyNextPage({ title: 'Logged in successfully.' });
    replaceWith(safePath(takeRememberedPath()));
  },
});

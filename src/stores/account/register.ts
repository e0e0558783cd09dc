import { atom, onMount } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import { type FieldErrors, type Registration, validateRegistration } from '#domain/account.ts';
import { paths } from '#paths.ts';
import { EMAIL_PROVIDERS } from '#site.ts';
import { notifyNextPage } from '#stores/shell/carried-notices.ts';
import { goTo, onReturn } from '#stores/shell/navigation.ts';
import { notify, withdraw } from '#stores/shell/toasts.ts';
import { isTooMany, serverText } from './server-text.ts';

export interface RegisterForm {
  readonly status: 'editing' | 'working';
  readonly errors: FieldErrors<Registration>;
  /** The text of the red alert above the form. */
  readonly failure?: string;
  /** The number of failed attempts. */
  readonly attempt: number;
}

export const NEW_REGISTRATION: RegisterForm = { status: 'editing', errors: {}, attempt: 0 };

export const $register = atom<RegisterForm>(NEW_REGISTRATION);

onMount($register, () => onReturn(() => $register.set(NEW_REGISTRATION)));

const providers = EMAIL_PROVIDERS.join(' or ');

export const PROVIDER_ADVICE = `Use a common email provider, like ${providers}.`;

const ALERT = `Registration failed. Please try using a different email provider (like ${providers}).`;

const users = () => import('#api/users.ts');

/** Loads the code of the registration in advance. */
export const prepareRegistration = (): void => void users().catch(() => {});

const FAILED = { title: 'Registration Error', tone: 'error' } as const;

function fail(failure: Failure): void {
  const text = serverText(failure) ?? 'Failed to register. Please try again.';
  // Another email would not help where too many have registered from one address (faults 41).
  const alert = isTooMany(failure) ? text : ALERT;
  $register.set({ status: 'editing', errors: {}, failure: alert, attempt: $register.get().attempt + 1 });
  notify({ ...FAILED, text });
}

/** Creates the account and goes home; signing in is the next step (spec 2 and 5, register; resolutions 26). */
export async function createAccount(form: Registration): Promise<void> {
  const { status, attempt } = $register.get();
  if (status === 'working') return;
  const errors = validateRegistration(form);
  if (Object.keys(errors).length > 0) {
    $register.set({ status: 'editing', errors, attempt: attempt + 1 });
    return;
  }
  $register.set({ status: 'working', errors: {}, attempt });
  withdraw(FAILED);
  try {
    const { register } = await users();
    const result = await register(form);
    if (!result.ok) return fail(result.failure);
  } catch {
    return fail({ kind: 'no-answer' });
  }
  notifyNextPage({
    title: 'Account created successfully. You can now log in.',
    action: { label: 'Sign in', href: paths.login },
  });
  goTo(paths.home);
}

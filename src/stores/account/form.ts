import { atom, onMount, type ReadableAtom } from 'nanostores';
import type { Failure, Result } from '#api/failure.ts';
import type { FieldErrors } from '#domain/account.ts';
import { waitText } from '#domain/text.ts';
import { onReturn } from '#stores/shell/events.ts';
import { readStored, writeStored } from '#stores/shell/storage.ts';

const TOO_MANY = 429;

export const isTooMany = (failure: Failure): boolean =>
  failure.kind === 'refused' && failure.status === TOO_MANY;

/** The server's error text; after a 429 it always says how long to wait. */
export function serverText(failure: Failure): string | undefined {
  if (failure.kind !== 'refused') return undefined;
  const { error, retryAfterSeconds } = failure;
  if (!isTooMany(failure) || retryAfterSeconds === undefined) return error;
  const wait = waitText(retryAfterSeconds);
  const isSaid = error?.includes(wait) || new RegExp(`\\b${retryAfterSeconds}\\s*s`).test(error ?? '');
  return isSaid ? error : `${error ?? 'Too many attempts.'} Please try again in ${wait}.`;
}

/** Identifies this device to the API. A sign-out does not delete it. */
const DEVICE_KEY = 'known-device';

export const knownDevice = (): string | undefined => readStored(DEVICE_KEY) ?? undefined;

export function rememberDevice(device: string | undefined): void {
  if (device !== undefined) writeStored(DEVICE_KEY, device);
}

export interface FormState<Fields> {
  readonly status: 'editing' | 'working' | 'done';
  readonly errors: FieldErrors<Fields>;
  readonly failure?: string;
  /** The number of failed attempts. The error summary takes the focus when it changes. */
  readonly attempt: number;
}

export const NEW_FORM: FormState<never> = { status: 'editing', errors: {}, attempt: 0 };

type Users = typeof import('#api/users.ts');

interface Definition<Fields, Value> {
  readonly validate: (fields: Fields) => FieldErrors<Fields>;
  readonly send: (users: Users, fields: Fields) => Promise<Result<Value>>;
  readonly accept?: (value: Value) => string | undefined;
  readonly done?: (value: Value, fields: Fields) => void;
  /** Returns the error text of a failed request. Default: `failureText`. */
  readonly explain?: (failure: Failure) => string;
}

export interface AccountForm<Fields> {
  readonly state: ReadableAtom<FormState<Fields>>;
  readonly validate: (fields: Fields) => FieldErrors<Fields>;
  /** Loads the code that `submit` needs in advance. */
  readonly prepare: () => void;
  readonly submit: (fields: Fields) => Promise<void>;
}

/** The server's error text. @param otherwise the text if the response has none */
export const failureText = (failure: Failure, otherwise = 'That did not work. Please try again.'): string =>
  failure.kind === 'no-answer'
    ? 'No response from server. Please try again later.'
    : (serverText(failure) ?? otherwise);

const users = (): Promise<Users> => import('#api/users.ts');

/** Validates the form, sends it at most once at a time, and stores why it failed. The typed text stays. */
export function createAccountForm<Fields, Value>(definition: Definition<Fields, Value>): AccountForm<Fields> {
  const { validate, send, accept, done, explain = failureText } = definition;
  const state = atom<FormState<Fields>>(NEW_FORM);
  onMount(state, () => onReturn(() => state.set(NEW_FORM)));

  const fail = (errors: FieldErrors<Fields>, failure?: string): void =>
    state.set({
      status: 'editing',
      errors,
      attempt: state.get().attempt + 1,
      ...(failure === undefined ? {} : { failure }),
    });

  async function submit(fields: Fields): Promise<void> {
    const { status, attempt } = state.get();
    if (status !== 'editing') return;
    const errors = validate(fields);
    if (Object.keys(errors).length > 0) return fail(errors);
    state.set({ status: 'working', errors: {}, attempt });
    let answer: Value;
    try {
      const result = await send(await users(), fields);
      if (!result.ok) return fail({}, explain(result.failure));
      const problem = accept?.(result.value);
      if (problem !== undefined) return fail({}, problem);
      answer = result.value;
    } catch {
      return fail({}, explain({ kind: 'no-answer' }));
    }
    state.set({ status: 'done', errors: {}, attempt });
    done?.(answer, fields);
  }

  return { state, validate, prepare: () => void users().catch(() => {}), submit };
}

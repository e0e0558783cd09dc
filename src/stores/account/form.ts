import { atom, onMount, type ReadableAtom } from 'nanostores';
import type { Failure, Result } from '#api/failure.ts';
import { type FieldErrors, validate } from '#domain/account.ts';
import { onReturn } from '#stores/shell/events.ts';
import { inTime } from '#stores/shell/pause.ts';
import { readStored, writeStored } from '#stores/shell/storage.ts';
import { failureText } from './failure-text.ts';

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
  readonly send: (users: Users, fields: Fields) => Promise<Result<Value>>;
  readonly accept?: (value: Value) => string | undefined;
  readonly done?: (value: Value, fields: Fields) => void;
  /** Returns the error text of a failed request. Default: `failureText`. */
  readonly explain?: (failure: Failure) => string;
}

export interface AccountForm<Fields> {
  readonly state: ReadableAtom<FormState<Fields>>;
  /** Loads the code that `submit` needs in advance. */
  readonly prepare: () => void;
  readonly submit: (fields: Fields) => Promise<void>;
}

const users = (): Promise<Users> => import('#api/users.ts');

/** Validates the form, sends it at most once at a time, and stores why it failed. Keeps the typed text. */
export function createAccountForm<Fields extends object, Value>({
  send,
  accept,
  done,
  explain = failureText,
}: Definition<Fields, Value>): AccountForm<Fields> {
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
      const result = await send(await inTime(users()), fields);
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

  return { state, prepare: () => void users().catch(() => {}), submit };
}

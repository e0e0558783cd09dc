import { atom, onMount, type ReadableAtom } from 'nanostores';
import type { Failure, Result } from '#api/failure.ts';
import type { FieldErrors } from '#domain/account.ts';
import { onReturn } from '#stores/shell/navigation.ts';
import { serverText } from './server-text.ts';

/** A form of an account, as `AuthForm` shows it. */
export interface FormState<Fields> {
  readonly status: 'editing' | 'working' | 'done';
  readonly errors: FieldErrors<Fields>;
  /** Why the last attempt failed. */
  readonly failure?: string;
  /** The number of failed attempts. */
  readonly attempt: number;
}

export const NEW_FORM: FormState<never> = { status: 'editing', errors: {}, attempt: 0 };

type Users = typeof import('#api/users.ts');

interface Definition<Fields, Value> {
  /** Returns error texts by field. */
  readonly validate: (fields: Fields) => FieldErrors<Fields>;
  readonly send: (users: Users, fields: Fields) => Promise<Result<Value>>;
  /** What follows a success. */
  readonly done?: (value: Value, fields: Fields) => void;
}

export interface AccountForm<Fields> {
  readonly state: ReadableAtom<FormState<Fields>>;
  readonly validate: (fields: Fields) => FieldErrors<Fields>;
  /** Loads the code of the submit in advance. */
  readonly prepare: () => void;
  readonly submit: (fields: Fields) => Promise<void>;
}

const failureText = (failure: Failure): string =>
  failure.kind === 'no-answer'
    ? 'No response from server. Please try again later.'
    : (serverText(failure) ?? 'That did not work. Please try again.');

const users = (): Promise<Users> => import('#api/users.ts');

/** A form that is checked here, sent once at a time, and says why it failed. What was typed stays (faults 18, 19). */
export function createAccountForm<Fields, Value>({
  validate,
  send,
  done,
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
    const result = await users()
      .then((module) => send(module, fields))
      .catch((): Result<Value> => ({ ok: false, failure: { kind: 'no-answer' } }));
    if (!result.ok) return fail({}, failureText(result.failure));
    state.set({ status: 'done', errors: {}, attempt });
    done?.(result.value, fields);
  }

  return { state, validate, prepare: () => void users().catch(() => {}), submit };
}

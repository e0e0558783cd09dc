import { atom, onMount, type ReadableAtom } from 'nanostores';
import type { Failure, Result } from '#api/failure.ts';
import type { FieldErrors } from '#domain/account.ts';
import { onReturn } from '#stores/shell/navigation.ts';
import { serverText } from './server-text.ts';

/** A form of an account, as `AccountForm` shows it. */
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
  /** Takes the answer. Returns why it cannot be used. */
  readonly accept?: (value: Value) => Promise<string | undefined>;
  /** What follows a success. */
  readonly done?: (value: Value, fields: Fields) => void;
  /** Returns why the form was refused; the default is `failureText`. */
  readonly explain?: (failure: Failure) => string;
}

export interface AccountForm<Fields> {
  readonly state: ReadableAtom<FormState<Fields>>;
  readonly validate: (fields: Fields) => FieldErrors<Fields>;
  /** Loads the code of the submit in advance. */
  readonly prepare: () => void;
  readonly submit: (fields: Fields) => Promise<void>;
}

/** The server's text. @param otherwise what to say where the server has answered without one */
export const failureText = (failure: Failure, otherwise = 'That did not work. Please try again.'): string =>
  failure.kind === 'no-answer'
    ? 'No response from server. Please try again later.'
    : (serverText(failure) ?? otherwise);

const users = (): Promise<Users> => import('#api/users.ts');

/** A form that is checked here, sent once at a time, and says why it failed. What was typed stays. */
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
      const problem = await accept?.(result.value);
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

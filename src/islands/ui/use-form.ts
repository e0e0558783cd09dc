import { type FormEvent, type SubmitEvent, useState } from 'react';
import type { FieldProps } from './Field.tsx';
import { useHydrated } from './use-hydrated.ts';

type Texts<Name extends string> = Record<Name, string>;
type Errors<Name extends string> = Partial<Texts<Name>>;

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '');

function textsOf<Name extends string>(names: readonly Name[], form: FormData): Texts<Name> {
  return Object.fromEntries(names.map((name) => [name, textOf(form.get(name))])) as Texts<Name>;
}

/** What the control of a field is given. */
export type FieldState = Pick<FieldProps, 'id' | 'error' | 'mended'> & {
  readonly name: string;
  readonly required: true;
};

interface Form<Name extends string> {
  readonly fields: readonly Name[];
  /** What the last try found. */
  readonly errors: Errors<Name>;
  /** What a try would find in these texts. */
  judge(texts: Texts<Name>): Errors<Name>;
  submit(texts: Texts<Name>, form: FormData): void;
}

/**
 * What an uncontrolled form needs: it keeps what is typed before it hydrates, and its button must stay disabled
 * until then, or the browser would send the form by itself. `field` is what the control of a name needs to tell what
 * is wrong with it, until it has been corrected.
 */
export function useForm<Name extends string>({ fields, errors, judge, submit }: Form<Name>) {
  const ready = useHydrated();
  const [typed, setTyped] = useState<Texts<Name>>();
  const onInput = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    if (Object.keys(errors).length > 0) setTyped(textsOf(fields, new FormData(currentTarget)));
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setTyped(undefined);
    submit(textsOf(fields, form), form);
  };
  const wrongNow = typed && judge(typed);
  const field = (name: Name): FieldState => ({
    id: name,
    name,
    required: true,
    error: errors[name],
    mended: wrongNow !== undefined && wrongNow[name] === undefined,
  });
  // The post is the net below: whatever happens, nothing typed ends in the address.
  return { ready, field, formProps: { method: 'post', noValidate: true, onInput, onSubmit } as const };
}

import { type FormEvent, type SubmitEvent, useState } from 'react';
import type { FieldProps } from './Field.tsx';

type Texts<Name extends string> = Record<Name, string>;
type Errors<Name extends string> = Partial<Texts<Name>>;

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '');

function textsOf<Name extends string>(names: readonly Name[], form: FormData): Texts<Name> {
  return Object.fromEntries(names.map((name) => [name, textOf(form.get(name))])) as Texts<Name>;
}

/** The props of a field's control. */
export type FieldState = Pick<FieldProps, 'id' | 'error' | 'corrected'> & {
  readonly name: string;
  readonly required: true;
};

interface Form<Name extends string> {
  readonly fields: readonly Name[];
  /** The errors of the last attempt. */
  readonly errors: Errors<Name>;
  /** Returns the errors of these texts. */
  validate(texts: Texts<Name>): Errors<Name>;
  submit(texts: Texts<Name>, form: FormData): void;
}

/**
 * State and props of an uncontrolled form, which keeps what is typed before hydration. Enter or a tap before it is held
 * back and repeated (components/shell/early-taps.ts). `field` returns the props of a control, with its error until it has
 * been corrected.
 */
export function useForm<Name extends string>({ fields, errors, validate, submit }: Form<Name>) {
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
  const currentErrors = typed && validate(typed);
  const field = (name: Name): FieldState => ({
    id: name,
    name,
    required: true,
    error: errors[name],
    corrected: currentErrors !== undefined && currentErrors[name] === undefined,
  });
  // Outside a dialog, a browser sends a form of this method nowhere, so without the page's scripts nothing is sent.
  return { field, formProps: { method: 'dialog', noValidate: true, onInput, onSubmit } as const };
}

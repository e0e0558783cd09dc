import { type FormEvent, type SubmitEvent, useState } from 'react';
import type { FieldProps } from './Field.tsx';

type Texts<Name extends string> = Record<Name, string>;
type Errors<Name extends string> = Partial<Texts<Name>>;

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '');

function textsOf<Name extends string>(names: readonly Name[], form: FormData): Texts<Name> {
  return Object.fromEntries(names.map((name) => [name, textOf(form.get(name))])) as Texts<Name>;
}

export type FieldState = Pick<FieldProps, 'id' | 'error' | 'corrected'> & {
  readonly name: string;
  readonly required: true;
};

interface Form<Name extends string> {
  readonly fields: readonly Name[];
  readonly errors: Errors<Name>;
  validate(texts: Texts<Name>): Errors<Name>;
  submit(texts: Texts<Name>): void;
}

/**
 * State and props of an uncontrolled form, which keeps text that was typed before hydration. A submit before hydration
 * is stored and repeated (components/shell/early.ts). `field` returns the props of a control, with its error until
 * the text is valid.
 */
export function useForm<Name extends string>({ fields, errors, validate, submit }: Form<Name>) {
  const [values, setValues] = useState<Texts<Name>>();
  const onInput = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    if (Object.keys(errors).length > 0) setValues(textsOf(fields, new FormData(currentTarget)));
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setValues(undefined);
    submit(textsOf(fields, new FormData(event.currentTarget)));
  };
  const currentErrors = values && validate(values);
  const field = (name: Name): FieldState => ({
    id: name,
    name,
    required: true,
    error: errors[name],
    corrected: currentErrors !== undefined && currentErrors[name] === undefined,
  });
  // Outside a dialog the method `dialog` sends nothing, so a form without its script sends no password anywhere.
  return { field, formProps: { method: 'dialog', noValidate: true, onInput, onSubmit } as const };
}

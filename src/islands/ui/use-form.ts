import type { SubmitEvent } from 'react';
import { useHydrated } from './use-hydrated.ts';

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '');

/**
 * What an uncontrolled form needs: it keeps what is typed before it hydrates, and its button must stay disabled
 * until then, or the browser would send the form by itself.
 */
export function useForm<Field extends string>(
  fields: readonly Field[],
  submit: (texts: Record<Field, string>, form: FormData) => void,
) {
  const ready = useHydrated();
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const texts = fields.map((field) => [field, textOf(form.get(field))] as const);
    submit(Object.fromEntries(texts) as Record<Field, string>, form);
  };
  // The post is the net below: whatever happens, nothing typed ends in the address.
  return { ready, formProps: { method: 'post', noValidate: true, onSubmit } as const };
}

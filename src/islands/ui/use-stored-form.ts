import { type SubmitEvent, useEffect, useRef } from 'react';
import { followForm, readForm, type StoredForm } from '#stores/shell/stored-form.ts';

/** For a form whose texts a store keeps. `submit` is called after the store has what is in the fields. */
export function useStoredForm(store: StoredForm, submit: () => Promise<void>) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => (form.current ? followForm(form.current, store) : undefined), [store]);
  const send = (event?: SubmitEvent): void => {
    event?.preventDefault();
    if (form.current) readForm(form.current, store);
    void submit();
  };
  return { send, formProps: { ref: form, noValidate: true, onSubmit: send } as const };
}

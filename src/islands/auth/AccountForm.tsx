import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { FieldState } from '#islands/ui/use-form.ts';
import { type AccountForm as Form, NEW_FORM } from '#stores/account/form.ts';
import { AuthForm } from './AuthForm.tsx';

interface AccountFormProps<Fields> {
  readonly form: Form<Fields>;
  readonly labelledBy?: string;
  readonly fields: readonly (keyof Fields & string)[];
  readonly words: { readonly submit: string; readonly working: string };
  children(field: (name: keyof Fields & string) => FieldState): ReactNode;
}

/** A form of stores/account/form.ts. Every field of it is a text. */
export function AccountForm<Fields extends Record<keyof Fields, string>>({
  form,
  ...props
}: AccountFormProps<Fields>) {
  const state = useStore(form.state, { ssr: () => NEW_FORM });
  const status = state.status === 'editing' ? 'editing' : 'working';
  return (
    <AuthForm<Fields>
      {...props}
      form={{ ...state, status }}
      validate={(texts) => form.validate(texts as Fields)}
      prepare={form.prepare}
      submit={(texts) => void form.submit(texts as Fields)}
    />
  );
}

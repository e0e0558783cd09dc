import type { ReactNode } from 'react';
import type { FieldErrors } from '#domain/account.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary, type FormError } from '#islands/ui/ErrorSummary.tsx';
import { Island } from '#islands/ui/Island.tsx';
import { type FieldState, useForm } from '#islands/ui/use-form.ts';

/** The error summary of a form whose controls have their field's name as id: what failed, else what is to correct. */
function summaryOf<Form>(
  fields: readonly (keyof Form & string)[],
  errors: FieldErrors<Form>,
  failure: string | undefined,
): { title: string; errors: FormError[] } {
  if (failure !== undefined) return { title: failure, errors: [] };
  const found = fields.flatMap((fieldId) => {
    const text = errors[fieldId];
    return text === undefined ? [] : [{ fieldId, text }];
  });
  return { title: 'There is a problem', errors: found };
}

interface AuthFormProps<Form> {
  readonly fields: readonly (keyof Form & string)[];
  /** The state of its store. */
  readonly form: {
    readonly status: 'editing' | 'working';
    readonly errors: FieldErrors<Form>;
    readonly failure?: string;
    readonly attempt: number;
  };
  /** On the button, while it rests and while it works. */
  readonly words: { readonly submit: string; readonly working: string };
  /** The fields, each with what `field` says of its name. */
  children(field: (name: keyof Form & string) => FieldState): ReactNode;
  /** What a try would find in these texts. */
  judge(texts: Record<keyof Form & string, string>): FieldErrors<Form>;
  /** The visitor has begun: what the submit needs may be fetched. */
  prepare(): void;
  submit(texts: Record<keyof Form & string, string>, form: FormData): void;
}

/** The frame of the sign-in and the registration: errors, fields, button. */
export function AuthForm<Form>(props: AuthFormProps<Form>) {
  const { fields, form, words, children, judge, prepare, submit } = props;
  const { status, errors, failure, attempt } = form;
  const { ready, field, formProps } = useForm({ fields, errors, judge, submit });
  const working = status === 'working';
  return (
    <Island>
      <form className="auth-form" aria-labelledby="auth-title" onFocus={prepare} {...formProps}>
        {(failure || Object.keys(errors).length > 0) && (
          <ErrorSummary {...summaryOf<Form>(fields, errors, failure)} attempt={attempt} />
        )}
        {children(field)}
        <Button type="submit" size="large" busy={working} waiting={!ready}>
          {working ? words.working : words.submit}
        </Button>
      </form>
    </Island>
  );
}

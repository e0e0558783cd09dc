import type { ReactNode } from 'react';
import type { FieldErrors } from '#domain/account.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary, type FormError } from '#islands/ui/ErrorSummary.tsx';
import { Island } from '#islands/ui/Island.tsx';
import { type FieldState, useForm } from '#islands/ui/use-form.ts';

/** The content of the error summary: the failure, or else the field errors. A control's id is its field's name. */
function summaryOf<Form>(
  fields: readonly (keyof Form & string)[],
  errors: FieldErrors<Form>,
  failure: string | undefined,
): { title: string; errors: FormError[] } {
  if (failure !== undefined) return { title: failure, errors: [] };
  const fieldErrors = fields.flatMap((fieldId) => {
    const text = errors[fieldId];
    return text === undefined ? [] : [{ fieldId, text }];
  });
  return { title: 'There is a problem', errors: fieldErrors };
}

interface AuthFormProps<Form> {
  /** The id of the heading. */
  readonly labelledBy?: string;
  readonly fields: readonly (keyof Form & string)[];
  readonly form: {
    readonly status: 'editing' | 'working';
    readonly errors: FieldErrors<Form>;
    readonly failure?: string;
    readonly attempt: number;
  };
  /** The texts of the button. */
  readonly words: { readonly submit: string; readonly working: string };
  /** Renders the fields. `field` returns the props of a control. */
  children(field: (name: keyof Form & string) => FieldState): ReactNode;
  /** Returns the errors of these texts. */
  validate(texts: Record<keyof Form & string, string>): FieldErrors<Form>;
  /** Called when the form gets the focus, to load the code of the submit in advance. */
  prepare(): void;
  submit(texts: Record<keyof Form & string, string>, form: FormData): void;
}

/** The errors, fields and button of a form about an account. */
export function AuthForm<Form>(props: AuthFormProps<Form>) {
  const { labelledBy = 'auth-title', fields, form, words, children, validate, prepare, submit } = props;
  const { status, errors, failure, attempt } = form;
  const { field, formProps } = useForm({ fields, errors, validate, submit });
  const working = status === 'working';
  return (
    <Island>
      <form className="auth-form" aria-labelledby={labelledBy} onFocus={prepare} {...formProps}>
        {(failure || Object.keys(errors).length > 0) && (
          <ErrorSummary {...summaryOf<Form>(fields, errors, failure)} attempt={attempt} />
        )}
        {children(field)}
        <Button type="submit" size="large" busy={working}>
          {working ? words.working : words.submit}
        </Button>
      </form>
    </Island>
  );
}

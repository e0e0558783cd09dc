import type { FieldErrors } from '#domain/account.ts';
import type { FormError } from '#islands/ui/ErrorSummary.tsx';

/** The error summary of a form whose controls have their field's name as id: what failed, else what is to correct. */
export function summaryOf<Form>(
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

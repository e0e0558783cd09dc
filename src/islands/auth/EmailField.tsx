import { Field, type FieldProps } from '#islands/ui/Field.tsx';

export const EmailField = (props: Pick<FieldProps, 'ref' | 'hint' | 'error'>) => (
  <Field
    {...props}
    id="email"
    name="email"
    label="Email"
    type="email"
    autoComplete="email"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
    required
  />
);

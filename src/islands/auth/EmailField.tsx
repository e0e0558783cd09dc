import { Field, type FieldProps } from '#islands/ui/Field.tsx';

export const EmailField = (props: Omit<FieldProps, 'label'>) => (
  <Field
    {...props}
    label="Email"
    type="email"
    autoComplete="email"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
  />
);

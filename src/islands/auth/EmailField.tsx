import { Field, type FieldProps } from '#islands/ui/Field.tsx';

export const EmailField = (props: Omit<FieldProps, 'label'> & { readonly label?: string }) => (
  <Field
    label="Email"
    {...props}
    type="email"
    autoComplete="email"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
  />
);

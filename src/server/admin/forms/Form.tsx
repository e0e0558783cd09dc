import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import { FORM_KEY } from '#server/admin/change.ts';
import { CanSend, Rights } from '#server/admin/rights.tsx';
import { Button, Hint, Picture, Row } from '#server/admin/views/pieces.tsx';
import type { Errors, Field, Fields, Values } from './field.ts';

/** Makes the idempotency key of each form of a page (`change.ts`). */
export const FormKeys = createContext<() => string>(() => {
  throw new Error('A form needs a page of the admin around it.');
});

type Entries = readonly (readonly [name: string, value: string | number])[];

/** Entries may have a name several times. */
type Hidden = Readonly<Record<string, string | number>> | Entries;

const entriesOf = (hidden: Hidden): Entries =>
  Symbol.iterator in hidden ? [...hidden] : Object.entries(hidden);

/**
 * A form that changes something. `hidden` are values of hidden fields, such as the form version (`form-version.ts`). A form key
 * among them replaces the new one.
 * Without write access the fields are disabled and the button is hidden.
 */
export function PostForm({
  hidden = {},
  children,
  ...props
}: Omit<ComponentProps<'form'>, 'hidden'> & { readonly hidden?: Hidden | undefined }) {
  const key = useContext(FormKeys)();
  const canSend = useContext(Rights)(String(props.action), 'POST');
  if (!canSend)
    return (
      <fieldset className={props.className} disabled>
        <CanSend value={false}>{children}</CanSend>
      </fieldset>
    );
  const given = entriesOf(hidden);
  const all: Entries = given.some(([name]) => name === FORM_KEY) ? given : [[FORM_KEY, key], ...given];
  return (
    <form method="post" {...props}>
      {all.map(([name, value], index) => (
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

type PostFormProps = ComponentProps<typeof PostForm>;

/** A form of one button. */
export const ButtonForm = ({
  variant = 'quiet',
  children,
  ...form
}: PostFormProps & Pick<ComponentProps<typeof Button>, 'variant'>) => (
  <PostForm {...form}>
    <Button variant={variant}>{children}</Button>
  </PostForm>
);

/** For what cannot be undone: the button is hidden behind a summary, so that nobody presses it by mistake. */
export const DangerForm = ({ summary, ...form }: PostFormProps & { readonly summary: string }) => (
  <details>
    <summary>{summary}</summary>
    <ButtonForm variant="danger" {...form} />
  </details>
);

const idOf = (name: string): string => `field-${name}`;

/** A checkbox or a radio button. */
export const BOX = 'm-0 size-6 flex-none';

/** A box with its label. */
const Choice = ({ label, ...box }: ComponentProps<'input'> & { readonly label: string }) => (
  <div className="flex min-h-11 items-center gap-3 *:font-normal">
    <input className={BOX} {...box} />
    <label htmlFor={box.id}>{label}</label>
  </div>
);

export const FieldError = (props: ComponentProps<'p'>) => (
  <p className="m-0 font-semibold text-error" {...props} />
);

interface PicturesProps extends ComponentProps<'input'> {
  readonly pictures: readonly string[];
  readonly max: number;
}

/** The stored pictures, each with its place and a box to remove it, and a field for new files. */
const Pictures = ({ pictures, max, name, ...input }: PicturesProps) => (
  <>
    {pictures.length > 0 && (
      <ul className="m-0 list-none p-0 *:flex *:flex-wrap *:items-center *:gap-4 *:py-2 [&_label]:flex [&_label]:min-h-11 [&_label]:items-center [&_label]:gap-3 [&_label]:font-normal">
        {pictures.map((picture, index) => (
          <li key={picture}>
            <input type="hidden" name={name} value={picture} />
            <Picture name={picture} alt={`Picture ${index + 1}`} />
            {max > 1 && (
              <label>
                Place
                <input
                  className="control max-w-16"
                  name={`${name}.place`}
                  inputMode="numeric"
                  defaultValue={index + 1}
                  aria-label={`Place of picture ${index + 1}`}
                />
              </label>
            )}
            <label>
              <input
                className={BOX}
                type="checkbox"
                name={`${name}.remove`}
                value={picture}
                aria-label={`Remove picture ${index + 1}`}
              />
              Remove
            </label>
          </li>
        ))}
      </ul>
    )}
    <input type="file" {...input} name={`${name}.file`} className="control" multiple={max > 1} />
  </>
);

interface ControlProps {
  readonly field: Exclude<Field, { readonly control: 'radios' | 'checkbox' | 'hidden' }>;
  readonly text: string;
  readonly attributes: Pick<ComponentProps<'input'>, 'id' | 'name' | 'aria-describedby' | 'aria-invalid'>;
}

/** The control of a field, below its label. */
function Control({ field, text, attributes }: ControlProps) {
  switch (field.control) {
    case 'textarea':
    case 'lines':
      return <textarea {...attributes} className="control" rows={field.rows ?? 5} defaultValue={text} />;
    case 'select':
      return (
        <select {...attributes} className="control" defaultValue={text}>
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      );
    case 'file':
      return <input type="file" {...attributes} className="control" accept={field.accept} />;
    case 'pictures': {
      const { max, accept } = field;
      return (
        <Pictures {...attributes} pictures={text.split('\n').filter(Boolean)} max={max} accept={accept} />
      );
    }
    default: {
      const { control, suggestions, autocomplete, inputmode } = field;
      const listId = suggestions && `${attributes.id}-list`;
      return (
        <>
          {/* A number is a text field, because browsers drop invalid input of number fields. A password is never sent back. */}
          <input
            type={control === 'number' ? 'text' : control}
            {...attributes}
            className="control"
            defaultValue={control === 'password' ? '' : text}
            autoComplete={autocomplete}
            inputMode={inputmode ?? (control === 'number' ? 'decimal' : undefined)}
            list={listId}
          />
          {suggestions && (
            <datalist id={listId}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      );
    }
  }
}

interface FormFieldProps {
  readonly name: string;
  readonly field: Field;
  readonly values?: Values | undefined;
  readonly errors?: Errors | undefined;
}

export function FormField({ name, field, values = {}, errors }: FormFieldProps) {
  const id = idOf(name);
  const error = errors?.get(name);
  const value = values[name];
  const label = `${field.label}${field.isOptional ? ' (optional)' : ''}`;
  const describedBy =
    [field.hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined;
  const attributes = {
    id,
    name,
    'aria-describedby': describedBy,
    'aria-invalid': error === undefined ? undefined : true,
    autoFocus: field.isFocused,
  };
  const notes = (
    <>
      {field.hint && <Hint id={`${id}-hint`}>{field.hint}</Hint>}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </>
  );
  switch (field.control) {
    case 'radios':
      return (
        <fieldset aria-describedby={describedBy}>
          <legend>{label}</legend>
          {notes}
          {field.options.map((option, index) => (
            <Choice
              key={option.value}
              type="radio"
              id={index === 0 ? id : `${id}-${index}`}
              name={name}
              defaultChecked={value === option.value}
              {...option}
            />
          ))}
        </fieldset>
      );
    case 'hidden':
      return <input type="hidden" name={name} value={String(value ?? '')} />;
    case 'checkbox':
      return (
        <div>
          <Choice type="checkbox" {...attributes} label={label} defaultChecked={Boolean(value)} />
          {notes}
        </div>
      );
    default:
      return (
        <div>
          <label htmlFor={id}>{label}</label>
          {notes}
          <Control field={field} text={typeof value === 'string' ? value : ''} attributes={attributes} />
        </div>
      );
  }
}

/** The error summary, with a link to each field. It has the focus, so that screen readers read it first. */
export const ErrorSummary = ({ errors }: { readonly errors: Errors | undefined }) =>
  errors &&
  errors.size > 0 && (
    <div
      className="mb-5 rounded-panel border-2 border-error bg-raised px-4 py-3"
      role="alert"
      tabIndex={-1}
      autoFocus
      aria-labelledby="errors"
    >
      <h2 className="mt-0" id="errors">
        There is a problem
      </h2>
      <ul className="m-0 pl-5">
        {[...errors].map(([name, text]) => (
          <li key={name}>
            {name === '' ? (
              text
            ) : (
              <a
                className="inline-flex min-h-11 items-center font-semibold text-error"
                href={`#${idOf(name)}`}
              >
                {text}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );

export interface FormProps {
  readonly fields: Fields;
  readonly action: string;
  readonly submit: string;
  readonly values?: Values | undefined;
  readonly errors?: Errors | undefined;
  readonly hidden?: Hidden | undefined;
  /** The email of the account whose password the form has, if it is known. */
  readonly account?: string | undefined;
  /** Of the submit button. */
  readonly variant?: 'danger';
  /** More buttons or links beside the submit button. */
  readonly more?: ReactNode;
  /** Rendered after the fields. */
  readonly children?: ReactNode;
}

/** Without it, password managers store a new password without its account, and fill in the old one later. */
const AccountField = ({ email }: { readonly email: string | undefined }) => (
  <input
    className="sr-only"
    type="email"
    name="username"
    autoComplete="username"
    defaultValue={email}
    readOnly
    tabIndex={-1}
    aria-hidden="true"
  />
);

/** `noValidate`, because the server finds the errors, in the same words for every browser. */
export function Form(props: FormProps) {
  const { fields, action, submit, values, errors, hidden, account, variant, more, children } = props;
  const controls = Object.values(fields).map(({ control: kind }) => kind);
  const hasFiles = controls.includes('file') || controls.includes('pictures');
  return (
    <>
      <ErrorSummary errors={errors} />
      <PostForm
        className="grid max-w-160 gap-5"
        action={action}
        hidden={hidden}
        noValidate
        encType={hasFiles ? 'multipart/form-data' : undefined}
      >
        {controls.includes('password') && !controls.includes('email') && <AccountField email={account} />}
        {Object.entries(fields).map(([name, field]) => (
          <FormField key={name} name={name} field={field} values={values} errors={errors} />
        ))}
        {children}
        <Row>
          <Button variant={variant}>{submit}</Button>
          {more}
        </Row>
      </PostForm>
    </>
  );
}

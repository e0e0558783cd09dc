import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import { FORM_KEY } from '#server/admin/change.ts';
import { CanSend, Rights } from '#server/admin/rights.tsx';
import { Button, Hint, Picture, Row } from '#server/admin/views/pieces.tsx';
import type { Field, Fields, Mistakes, Typed } from './field.ts';

/** Makes the idempotency key of each form of a page (`change.ts`). */
export const FormKeys = createContext<() => string>(() => {
  throw new Error('A form needs a page of the admin around it.');
});

type Hidden = Readonly<Record<string, string | number>>;

/**
 * A form that changes something. `hidden` are values of hidden fields, such as the form version (`form-version.ts`).
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
  return (
    <form method="post" {...props}>
      {Object.entries({ [FORM_KEY]: key, ...hidden }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

type PostFormProps = ComponentProps<typeof PostForm>;

/** A form of one button. */
export const ButtonForm = ({ children, ...form }: PostFormProps) => (
  <PostForm {...form}>
    <Button look="quiet">{children}</Button>
  </PostForm>
);

/** The same for what cannot be undone: the button is behind a summary, so that nobody presses it by mistake. */
export const DangerForm = ({ summary, children, ...form }: PostFormProps & { readonly summary: string }) => (
  <details>
    <summary>{summary}</summary>
    <PostForm {...form}>
      <Button look="danger">{children}</Button>
    </PostForm>
  </details>
);

const idOf = (name: string): string => `field-${name}`;

/** A checkbox or a radio button. */
export const BOX = 'm-0 size-6 flex-none';

const CHOICE = 'flex min-h-11 items-center gap-3 *:font-normal';

export const FieldError = (props: ComponentProps<'p'>) => (
  <p className="m-0 font-semibold text-error" {...props} />
);

interface PicturesProps extends ComponentProps<'input'> {
  readonly pictures: readonly string[];
  readonly most: number;
}

/** The stored pictures, each with its place and a box to remove it, and a field for new files. */
const Pictures = ({ pictures, most, name, ...input }: PicturesProps) => (
  <>
    {pictures.length > 0 && (
      <ul className="m-0 list-none p-0 *:flex *:flex-wrap *:items-center *:gap-4 *:py-2 [&_label]:flex [&_label]:min-h-11 [&_label]:items-center [&_label]:gap-3 [&_label]:font-normal">
        {pictures.map((picture, index) => (
          <li key={picture}>
            <input type="hidden" name={name} value={picture} />
            <Picture name={picture} alt={`Picture ${index + 1}`} />
            {most > 1 && (
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
    <input type="file" {...input} name={`${name}.file`} className="control" multiple={most > 1} />
  </>
);

interface ControlProps {
  readonly field: Field;
  readonly value: Typed[string] | undefined;
  /** Of the field's element, or of the first of its elements. */
  readonly attributes: Pick<ComponentProps<'input'>, 'name' | 'aria-describedby' | 'aria-invalid'> & {
    readonly id: string;
  };
}

function Control({ field, value, attributes }: ControlProps) {
  const text = typeof value === 'string' ? value : '';
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
    case 'radios':
      return field.options.map((option, index) => {
        const id = index === 0 ? attributes.id : `${attributes.id}-${index}`;
        const { name } = attributes;
        const isChosen = value === option.value;
        return (
          <div key={option.value} className={CHOICE}>
            <input
              className={BOX}
              type="radio"
              id={id}
              name={name}
              value={option.value}
              defaultChecked={isChosen}
            />
            <label htmlFor={id}>{option.label}</label>
          </div>
        );
      });
    case 'checkbox':
      return <input type="checkbox" {...attributes} className={BOX} defaultChecked={Boolean(value)} />;
    case 'file':
      return <input type="file" {...attributes} className="control" accept={field.accept} />;
    case 'pictures':
      return (
        <Pictures
          {...attributes}
          pictures={text.split('\n').filter(Boolean)}
          most={field.most}
          accept={field.accept}
        />
      );
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
  readonly typed?: Typed | undefined;
  readonly mistakes?: Mistakes | undefined;
}

export function FormField({ name, field, typed = {}, mistakes }: FormFieldProps) {
  const id = idOf(name);
  const mistake = mistakes?.get(name);
  const label = `${field.label}${field.isOptional ? ' (optional)' : ''}`;
  const describedBy =
    [field.hint ? `${id}-hint` : '', mistake ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined;
  const attributes = {
    id,
    name,
    'aria-describedby': describedBy,
    'aria-invalid': mistake === undefined ? undefined : true,
    autoFocus: field.isFocused,
  };
  const control = <Control field={field} value={typed[name]} attributes={attributes} />;
  const notes = (
    <>
      {field.hint && <Hint id={`${id}-hint`}>{field.hint}</Hint>}
      {mistake && <FieldError id={`${id}-error`}>{mistake}</FieldError>}
    </>
  );
  switch (field.control) {
    case 'radios':
      return (
        <fieldset aria-describedby={describedBy}>
          <legend>{label}</legend>
          {notes}
          {control}
        </fieldset>
      );
    case 'checkbox':
      return (
        <div>
          <div className={CHOICE}>
            {control}
            <label htmlFor={id}>{label}</label>
          </div>
          {notes}
        </div>
      );
    default:
      return (
        <div>
          <label htmlFor={id}>{label}</label>
          {notes}
          {control}
        </div>
      );
  }
}

/** The error summary, with a link to each field. It has the focus, so that screen readers read it first. */
export const ErrorSummary = ({ mistakes }: { readonly mistakes: Mistakes | undefined }) =>
  mistakes &&
  mistakes.size > 0 && (
    <div
      className="mb-5 rounded-panel border-2 border-error bg-raised px-4 py-3"
      role="alert"
      tabIndex={-1}
      autoFocus
      aria-labelledby="mistakes"
    >
      <h2 className="mt-0" id="mistakes">
        There is a problem
      </h2>
      <ul className="m-0 pl-5">
        {[...mistakes].map(([name, text]) => (
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
  readonly typed?: Typed | undefined;
  readonly mistakes?: Mistakes | undefined;
  readonly hidden?: Hidden | undefined;
  /** The email of the account whose password the form has, if it is known. */
  readonly account?: string | undefined;
  /** Of the submit button. */
  readonly look?: 'danger';
  /** More buttons or links beside the submit button. */
  readonly more?: ReactNode;
  /** What follows the fields. */
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
  const { fields, action, submit, typed, mistakes, hidden, account, look, more, children } = props;
  const controls = Object.values(fields).map(({ control: kind }) => kind);
  const hasFiles = controls.includes('file') || controls.includes('pictures');
  return (
    <>
      <ErrorSummary mistakes={mistakes} />
      <PostForm
        className="grid max-w-160 gap-5"
        action={action}
        hidden={hidden}
        noValidate
        encType={hasFiles ? 'multipart/form-data' : undefined}
      >
        {controls.includes('password') && !controls.includes('email') && <AccountField email={account} />}
        {Object.entries(fields).map(([name, field]) => (
          <FormField key={name} name={name} field={field} typed={typed} mistakes={mistakes} />
        ))}
        {children}
        <Row>
          <Button look={look}>{submit}</Button>
          {more}
        </Row>
      </PostForm>
    </>
  );
}

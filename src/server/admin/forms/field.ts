import * as v from 'valibot';
import { plainLines, plainText } from '#server/services/plain-text.ts';

export const text = (most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(most, `must have at most ${most} characters`),
    plainText('has characters that cannot be printed'),
  );

/** The same for a text of several lines. */
export const textLines = (most: number) =>
  plainLines(most, {
    missing: 'is missing',
    long: `must have at most ${most} characters`,
    unprintable: 'has characters that cannot be printed',
  });

interface Common {
  readonly label: string;
  readonly hint?: string;
  /** Whether it may be left empty, which its label then says. */
  readonly isOptional?: boolean;
  /** Whether the field has the focus when the page opens, such as in a row that was just added. */
  readonly isFocused?: boolean;
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface TextField extends Common {
  readonly control:
    | 'text'
    | 'email'
    | 'password'
    | 'search'
    | 'tel'
    | 'url'
    | 'number'
    | 'date'
    | 'datetime-local';
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric' | 'decimal' | 'tel' | 'email' | 'url';
  /** Values that the browser offers. Others may be typed as well. */
  readonly suggestions?: readonly string[];
}

interface LongField extends Common {
  /** The values of 'lines' are a list, one a line. */
  readonly control: 'textarea' | 'lines';
  readonly rows?: number;
}

interface ChoiceField extends Common {
  readonly control: 'select' | 'radios';
  readonly options: readonly Option[];
}

interface BoxField extends Common {
  readonly control: 'checkbox';
}

interface FileField extends Common {
  /** The values of 'files' are a list. */
  readonly control: 'file' | 'files';
  /** The types that the browser offers, such as 'image/png,image/jpeg'. */
  readonly accept: string;
}

/** How a value of a schema is asked for. */
export type Field = TextField | LongField | ChoiceField | BoxField | FileField;

export type Fields = Readonly<Record<string, Field>>;

/** What stands in a form's fields, as it was typed. A file cannot be shown again. */
export type Typed = Readonly<Record<string, string | boolean>>;

/** The text of each field that has a mistake. */
export type Mistakes = ReadonlyMap<string, string>;

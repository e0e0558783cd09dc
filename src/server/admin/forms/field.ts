import type { ReactNode } from 'react';
import * as v from 'valibot';
import { plainLines, plainText, tidiedCode } from '#server/http/sent-values.ts';

export const text = (max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(max, `must have at most ${max} characters`),
    plainText('has characters that cannot be printed'),
  );

/** A text such as a tracking number. */
export const codeText = (max: number) => v.pipe(text(max), tidiedCode);

export const textLines = (max: number) =>
  plainLines(max, {
    missing: 'is missing',
    long: `must have at most ${max} characters`,
    unprintable: 'has characters that cannot be printed',
  });

interface Common {
  readonly label: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly isFocused?: boolean;
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

type Control =
  | {
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
      /** Values that the browser suggests. Other values are allowed too. */
      readonly suggestions?: readonly string[];
    }
  /** 'lines' gives a list with one value per line. */
  | { readonly control: 'textarea' | 'lines'; readonly rows?: number }
  | { readonly control: 'select'; readonly options: readonly Option[] }
  | { readonly control: 'radios'; readonly options: readonly Option[] }
  | { readonly control: 'checkbox' | 'hidden' }
  /** Media types for the browser's file dialog, such as 'image/png,image/jpeg'. */
  | { readonly control: 'file'; readonly accept: string }
  /**
   * The names of stored pictures, one per line, and files to add (`record-editor.tsx`). Several have an order. A new
   * file replaces a single one.
   */
  | { readonly control: 'pictures'; readonly accept: string; readonly max: number };

export type Field = Common & Control;

export type Fields = Readonly<Record<string, Field>>;

/** The content of a form's fields as it was typed. Files are left out: browsers cannot show them again. */
export type Values = Readonly<Record<string, string | boolean>>;

/** Error texts by the name of their field; '' for the whole form. */
export type Errors = ReadonlyMap<string, string>;

/** What a page shows again after a form was refused, with a notice such as that of an edit conflict. */
export interface FormState {
  readonly values?: Values | undefined;
  readonly errors?: Errors | undefined;
  readonly notice?: ReactNode;
}

/** The status of a page with this state. */
export const formStatus = ({ notice, errors }: FormState) => (notice ? 409 : errors ? 422 : 200);

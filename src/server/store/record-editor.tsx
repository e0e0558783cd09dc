import type { ReactNode } from 'react';
import * as v from 'valibot';
import { ChangeAborted, change, type Done } from '#server/admin/change.ts';
import type { RecordChange } from '#server/admin/change-log.ts';
import { formVersionIn, formVersionOf, type Parts, requireFormVersion } from '#server/admin/form-version.ts';
import { Form, type FormProps } from '#server/admin/forms/Form.tsx';
import type { Field, Fields, FormState, Mistakes, Typed } from '#server/admin/forms/field.ts';
import {
  type FormDefinition,
  type FormSchema,
  type ParsedForm,
  parseForm,
} from '#server/admin/forms/parse.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { ConflictNotice, MERGED, Picture } from '#server/admin/views/pieces.tsx';
import type { Reader, Transaction } from '#server/db/database.ts';
import { PICTURE_TYPES, storeUploads } from '#server/pictures/stored-pictures.ts';
import { lockCatalogue } from '#server/services/catalogue-version.ts';
import type { Services } from '#server/services/services.ts';
import { removePictures } from './stored-store.ts';

/** What a page shows in the form of a record. */
export interface Shown extends FormState {
  readonly typed: Typed;
  readonly version: string;
  readonly status?: 200 | 409 | 422;
  /** After the fields. */
  readonly preview?: ReactNode;
}

/** Shows a record as it is stored. @param texts by field */
export const fresh = (texts: Parts): Shown => ({ typed: texts, version: formVersionOf(texts) });

export const picturesField = (label: string, most: number) =>
  ({
    label,
    hint: `JPEG, PNG, WebP or AVIF, ${most > 1 ? 'each up to 15 MB, together up to 32 MB' : 'at most 15 MB'}.`,
    control: 'pictures',
    accept: PICTURE_TYPES,
    most,
    isOptional: most === 1,
  }) as const;

/** The name of a single picture, '' for none. */
export const SinglePictureSchema = v.pipe(
  v.array(v.string()),
  v.transform(([name = '']) => name),
);

/** In bytes, for one picture of 15 MiB and the rest of the form. */
export const PICTURE_FORM_MOST = 16 * 1_024 * 1_024;

/** Parses a form. New pictures are stored at once, so that an error elsewhere does not lose them. */
export async function readRecord<S extends FormSchema>(
  services: Services,
  form: FormDefinition<S>,
  sent: FormData,
): Promise<ParsedForm<S>> {
  const fields: Fields = form.fields;
  const refused = new Map<string, string>();
  for (const [name, field] of Object.entries(fields)) {
    if (field.control !== 'pictures') continue;
    const { names, refusals } = await storeUploads(services, sent.getAll(`${name}.file`));
    if (field.most === 1 && names.length > 0) sent.delete(name);
    for (const picture of names) sent.append(name, picture);
    if (refusals.length > 0) refused.set(name, refusals.join(' '));
  }
  const parsed = parseForm(form, sent);
  // A picture that was added and is removed again before the form is saved.
  const removed = Object.keys(fields).flatMap((name) => sent.getAll(`${name}.remove`).map(String));
  if (removed.length > 0) await services.db.write((transaction) => removePictures(transaction, removed));
  if (refused.size === 0) return parsed;
  const mistakes = new Map([...(parsed.isValid ? [] : parsed.mistakes), ...refused]);
  return { isValid: false, mistakes, typed: parsed.typed };
}

const textOf = (value: Typed[string]): string => (typeof value === 'string' ? value : value ? 'Yes' : '');

/**
 * Renders a value of an edit conflict: of a long text the lines that the other one lacks. Pictures are shown, because their
 * names mean nothing to editors.
 */
function shownValue(text: string, other: string, field: Field | undefined): ReactNode {
  const lines = text.split('\n');
  if (field?.control === 'pictures')
    return lines.map((name) => name && <Picture key={name} name={name} alt={name} />);
  if (field?.control !== 'textarea') return text;
  const others = new Set(other.split('\n').map((line) => line.trim()));
  return lines.filter((line) => !others.has(line.trim())).join('\n');
}

/** A record that is edited in a form, as a text for each field. */
interface EditedRecord<S extends FormSchema, Stored> {
  readonly form: FormDefinition<S>;
  readonly show: (shown: Shown) => Response | Promise<Response>;
  /** Lets one transaction at a time change the record. By default it locks the catalogue. */
  readonly lock?: (transaction: Transaction, context: AdminContext) => Promise<unknown>;
  /** Throws if there is no such record. */
  readonly find: (transaction: Transaction) => Promise<Stored>;
  /** Returns the stored texts by field; {} for a new record. */
  readonly textsOf: (stored: Stored) => Parts;
  /** Returns the errors if it cannot be stored. */
  readonly store: (
    transaction: Transaction,
    log: RecordChange,
    values: v.InferOutput<S>,
    stored: Stored,
    services: Services,
  ) => Promise<Done | { readonly mistakes: Mistakes }>;
}

/** Saves the form of a record, or shows it again with its errors, or with both values of an edit conflict. */
export async function saveRecord<S extends FormSchema, Stored>(
  context: AdminContext,
  services: Services,
  { form, show, lock = lockCatalogue, find, textsOf, store }: EditedRecord<S, Stored>,
): Promise<Response> {
  const sent = context.get('form');
  const fields: Fields = form.fields;
  const parsed = await readRecord(services, form, sent);
  const { typed } = parsed;
  const version = formVersionIn(sent);
  const refuse = (mistakes: Mistakes) => show({ typed, version, mistakes, status: 422 });
  if (!parsed.isValid) return refuse(parsed.mistakes);
  const { values } = parsed;
  return change(context, services, async (transaction, log) => {
    await lock(transaction, context);
    const stored = await find(transaction);
    const texts = textsOf(stored);
    const yours = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, textOf(value)]));
    requireFormVersion(sent, texts, yours, ({ merged, conflicts }) => {
      const shown = conflicts.map(({ label: name, yours, now }) => ({
        label: fields[name]?.label ?? name,
        yours: shownValue(yours, now, fields[name]),
        now: shownValue(now, yours, fields[name]),
      }));
      const notice = <ConflictNotice conflicts={shown} again={MERGED} />;
      return show({ typed: merged, version: formVersionOf(texts), notice, status: 409 });
    });
    const done = await store(transaction, log, values, stored, services);
    if ('mistakes' in done) throw new ChangeAborted(() => refuse(done.mistakes));
    return done;
  });
}

/** What a page has beside the form of its record. */
interface View extends Pick<FormProps, 'look'> {
  readonly title: string;
  /** Where the form is sent. */
  readonly action: string;
  /** What its button says, if not 'Save'. */
  readonly submit?: string;
  /** Instead of the fields of the form, such as with suggestions. */
  readonly fields?: Fields;
  readonly head?: ReactNode;
  readonly above?: ReactNode;
  /** Beside the button. */
  readonly more?: ReactNode;
  readonly below?: ReactNode;
}

/** A page of its own for a record. */
interface RecordPage<S extends FormSchema, Stored>
  extends Pick<EditedRecord<S, Stored>, 'form' | 'lock' | 'textsOf' | 'store'> {
  /** Returns the record of the page's address. Throws if there is none. */
  readonly find: (context: AdminContext, services: Services, db: Reader) => Promise<Stored>;
  readonly view: (stored: Stored, services: Services, typed: Typed) => View | Promise<View>;
}

/** Returns the handlers of the page of a record. */
export function recordEditor<S extends FormSchema, Stored>({ find, view, ...record }: RecordPage<S, Stored>) {
  async function show(context: AdminContext, services: Services, stored: Stored, shown: Shown) {
    const { typed, version, mistakes, notice, preview, status = 200 } = shown;
    const { title, head, above, below, ...form } = await view(stored, services, typed);
    return showPage(context, {
      title,
      head,
      content: (
        <>
          {notice}
          {above}
          <Form
            fields={record.form.fields}
            submit="Save"
            typed={typed}
            mistakes={mistakes}
            hidden={{ version }}
            {...form}
          >
            {preview}
          </Form>
          {below}
        </>
      ),
      status,
    });
  }

  return {
    show,
    async open(context: AdminContext, services: Services): Promise<Response> {
      const stored = await find(context, services, services.db);
      return show(context, services, stored, fresh(record.textsOf(stored)));
    },
    save: (context: AdminContext, services: Services): Promise<Response> =>
      saveRecord(context, services, {
        ...record,
        show: async (shown) => show(context, services, await find(context, services, services.db), shown),
        find: (transaction) => find(context, services, transaction),
      }),
  };
}

import type { ReactNode } from 'react';
import type * as v from 'valibot';
import { MAX_PICTURE_BYTES } from '#domain/picture.ts';
import { ChangeAborted, change, type Done } from '#server/admin/change.ts';
import type { RecordChange } from '#server/admin/change-log.ts';
import { formVersionIn, formVersionOf, type Parts, requireFormVersion } from '#server/admin/form-version.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { type FormView, showForm } from '#server/admin/views/Page.tsx';
import { ConflictNotice, MERGED, Picture } from '#server/admin/views/pieces.tsx';
import type { Reader, Transaction } from '#server/db/database.ts';
import { PICTURE_TYPES, removePictures, storeUploads } from '#server/pictures/stored-pictures.ts';
import type { Services } from '#server/services/services.ts';
import type { Errors, Field, Fields, FormState, Values } from './field.ts';
import { type FormDefinition, type FormSchema, type ParsedForm, parseForm } from './parse.ts';

/** What a page shows in the form of a record. */
export interface Shown extends FormState {
  readonly values: Values;
  readonly version: string;
  /** After the fields. */
  readonly preview?: ReactNode;
}

/** Shows a record as it is stored. @param texts by field */
export const fresh = (texts: Parts): Shown => ({ values: texts, version: formVersionOf(texts) });

/** The limit of a form with pictures, in MiB. */
const MAX_FORM = 32;

export const MAX_UPLOAD_BYTES = MAX_FORM * 1_024 ** 2;
const MAX_PICTURE = MAX_PICTURE_BYTES / 1_024 ** 2;

/** A single picture is its name, '' for none. */
export const picturesField = (label: string, max: number) =>
  ({
    label,
    hint: `JPEG, PNG, WebP or AVIF, ${max > 1 ? `each up to ${MAX_PICTURE} MB, together up to ${MAX_FORM} MB` : `at most ${MAX_PICTURE} MB`}.`,
    control: 'pictures',
    accept: PICTURE_TYPES,
    max,
    isOptional: max === 1,
  }) as const;

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
    if (field.max === 1 && names.length > 0) sent.delete(name);
    for (const picture of names) sent.append(name, picture);
    if (refusals.length > 0) refused.set(name, refusals.join(' '));
  }
  const parsed = parseForm(form, sent);
  // A picture that was added and is removed again before the form is saved.
  const removed = Object.keys(fields).flatMap((name) => sent.getAll(`${name}.remove`).map(String));
  if (removed.length > 0) await services.db.write((transaction) => removePictures(transaction, removed));
  if (refused.size === 0) return parsed;
  const errors = new Map([...(parsed.isValid ? [] : parsed.errors), ...refused]);
  return { isValid: false, errors, values: parsed.values };
}

/**
 * Renders a value of an edit conflict. Of a long text, shows only the lines that the other one lacks. Shows pictures,
 * because their names mean nothing to editors.
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
  /** Lets one transaction at a time change the record. */
  readonly lock: (transaction: Transaction, context: AdminContext) => Promise<unknown>;
  /** Returns the record of the page's address. Throws if there is none. */
  readonly find: (context: AdminContext, services: Services, db: Reader) => Promise<Stored>;
  /** Returns the stored texts by field; {} for a new record. */
  readonly textsOf: (stored: Stored) => Parts;
  /** Returns the errors if it cannot be stored. */
  readonly store: (
    transaction: Transaction,
    log: RecordChange,
    output: v.InferOutput<S>,
    stored: Stored,
    services: Services,
  ) => Promise<Done | { readonly errors: Errors }>;
}

/** Saves the form of a record, or shows it again with its errors, or with both values of an edit conflict. */
export async function saveRecord<S extends FormSchema, Stored>(
  context: AdminContext,
  services: Services,
  show: (shown: Shown) => Promise<Response>,
  { form, lock, find, textsOf, store }: EditedRecord<S, Stored>,
): Promise<Response> {
  const sent = context.get('form');
  const fields: Fields = form.fields;
  const parsed = await readRecord(services, form, sent);
  const { values } = parsed;
  const version = formVersionIn(sent);
  if (!parsed.isValid) return show({ version, values, errors: parsed.errors });
  return change(context, services, async (transaction, log) => {
    await lock(transaction, context);
    const stored = await find(context, services, transaction);
    const texts = textsOf(stored);
    const yours = Object.entries(values).map(([name, value]) => [name, value === true ? 'Yes' : value || '']);
    requireFormVersion(sent, texts, Object.fromEntries(yours), ({ merged, conflicts }) => {
      const shown = conflicts.map(({ label: name, yours, now }) => ({
        label: fields[name]?.label ?? name,
        yours: shownValue(yours, now, fields[name]),
        now: shownValue(now, yours, fields[name]),
      }));
      const notice = <ConflictNotice conflicts={shown} again={MERGED} />;
      return show({ ...fresh(texts), values: { ...values, ...merged }, notice });
    });
    const done = await store(transaction, log, parsed.output, stored, services);
    if ('errors' in done) throw new ChangeAborted(() => show({ version, values, errors: done.errors }));
    return done;
  });
}

/** What a page has beside the form of its record. */
type View = Pick<FormView, 'title' | 'action'> & Partial<FormView>;

/** A page of its own for a record. */
interface RecordPage<S extends FormSchema, Stored> extends EditedRecord<S, Stored> {
  readonly view: (stored: Stored, services: Services, values: Values) => View | Promise<View>;
}

/** Returns the handlers of the page of a record. */
export function recordEditor<S extends FormSchema, Stored>(record: RecordPage<S, Stored>) {
  const find = (context: AdminContext, services: Services) => record.find(context, services, services.db);

  async function show(context: AdminContext, services: Services, stored: Stored, shown: Shown) {
    const { version, preview, ...state } = shown;
    return showForm(context, {
      fields: record.form.fields,
      submit: 'Save',
      hidden: { version },
      children: preview,
      ...state,
      ...(await record.view(stored, services, state.values)),
    });
  }

  return {
    show,
    async open(context: AdminContext, services: Services): Promise<Response> {
      const stored = await find(context, services);
      return show(context, services, stored, fresh(record.textsOf(stored)));
    },
    save(context: AdminContext, services: Services): Promise<Response> {
      const showAgain = async (shown: Shown) => show(context, services, await find(context, services), shown);
      return saveRecord(context, services, showAgain, record);
    },
  };
}

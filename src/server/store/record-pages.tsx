import type { ReactNode } from 'react';
import { STORE_FIELDS } from '#domain/store-fields.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import {
  type Comparison,
  formVersionIn,
  formVersionOf,
  type Parts,
  requireFormVersion,
} from '#server/admin/form-version.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import type { Mistakes, Typed } from '#server/admin/forms/field.ts';
import { parseForm, sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { ConflictNotice, Link, LinkButton, MERGED, Row } from '#server/admin/views/pieces.tsx';
import { missingPictures } from '#server/pictures/stored-pictures.ts';
import { lockCatalogue } from '#server/services/catalogue-version.ts';
import type { Services } from '#server/services/services.ts';
import { STORE_WORDS } from './fields.ts';
import { PICTURE_FORM_MOST, picture, storePicture } from './picture.tsx';
import { homePlaces, previewButton, refusePreview, showPreview } from './preview.tsx';
import { chosenFile, noPicture, PHONE_PART_PAGE, phonePart, recordFormOf } from './record-form.tsx';
import { replaceStore, requireStore } from './stored-store.ts';

const PATH = `${ADMIN}/store`;

const recordForm = recordFormOf(STORE_FIELDS, STORE_WORDS);

interface RecordView {
  readonly typed: Typed;
  /** The form version (`form-version.ts`). */
  readonly version: string;
  /** The names of the pictures by field, '' for none. */
  readonly pictures: Parts;
  readonly notice?: ReactNode;
  readonly mistakes?: Mistakes;
  readonly status?: 409 | 422;
}

function show(context: AdminContext, view: RecordView) {
  const { typed, version, pictures, notice = '', mistakes, status } = view;
  const form = (
    <Form
      fields={recordForm.fields}
      action={PATH}
      submit="Save"
      typed={typed}
      mistakes={mistakes}
      hidden={{ version, ...pictures }}
      more={previewButton(`${PATH}/preview`, 'Preview the home page')}
    />
  );
  const shown = Object.entries(pictures).map(([name, file]) => {
    const label = recordForm.labelOf(name);
    return (
      file !== '' && (
        <p key={name}>
          The {label.toLowerCase()} now: {picture(file, label)}
        </p>
      )
    );
  });
  return showPage(context, {
    title: 'Store',
    content: (
      <>
        {notice}
        <p>
          Shoppers see what you save here after the next <Link href={`${ADMIN}/publish`}>publication</Link>.
        </p>
        <Row>
          <LinkButton look="quiet" href={`${PATH}/categories`}>
            Categories
          </LinkButton>
        </Row>
        <h2>The shop and the company</h2>
        {shown}
        {phonePart(typed, pictures)}
        {form}
      </>
    ),
    status,
  });
}

const picturesIn = (texts: Parts): Parts =>
  Object.fromEntries(recordForm.pictures.map((name) => [name, texts[name] ?? '']));

async function showRecord(context: AdminContext, services: Services) {
  const texts = recordForm.textsOf(await requireStore(services.db));
  return show(context, {
    typed: texts,
    version: formVersionOf(texts),
    pictures: picturesIn(texts),
  });
}

/** Stores the uploaded pictures. Returns the name of each field's picture, new or current. */
async function storePictures(services: Services, form: FormData) {
  const mistakes = new Map<string, string>();
  const pictures: Record<string, string> = {};
  for (const name of recordForm.pictures) {
    const upload = await storePicture(services, form.get(chosenFile(name)));
    const current = form.has(noPicture(name)) ? '' : sentText(form, name);
    pictures[name] = upload.status === 'stored' ? upload.name : current;
    if (upload.status === 'refused') mistakes.set(chosenFile(name), upload.reason);
  }
  return { pictures, mistakes };
}

/** Shows the home page with the live pictures, because a preview stores none. */
async function preview(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(recordForm, context.get('form'));
  if (!parsed.isValid) return refusePreview(parsed.mistakes);
  const record = { ...(await requireStore(services.db)), ...recordForm.recordOf(parsed.values) };
  return showPreview(context, services, { path: '/', content: homePlaces(record) });
}

const differing = (of: Parts, from: Parts): Parts =>
  Object.fromEntries(Object.entries(of).filter(([name, text]) => text !== from[name]));

async function save(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const parsed = parseForm(recordForm, form);
  const { pictures, mistakes } = await storePictures(services, form);
  const untick = Object.fromEntries(recordForm.pictures.map((name) => [noPicture(name), false]));
  const again = { typed: { ...parsed.typed, ...untick }, version: formVersionIn(form), pictures };
  if (!parsed.isValid || mistakes.size > 0) {
    const all = new Map([...(parsed.isValid ? [] : parsed.mistakes), ...mistakes]);
    return show(context, { ...again, mistakes: all, status: 422 });
  }
  const record = recordForm.recordOf({ ...parsed.values, ...pictures });

  const showConflict = ({ merged, conflicts }: Comparison, stored: Parts) =>
    show(context, {
      typed: merged,
      version: formVersionOf(stored),
      pictures: picturesIn(merged),
      notice: (
        <ConflictNotice
          conflicts={conflicts.map((conflict) => ({
            ...conflict,
            label: recordForm.labelOf(conflict.label),
          }))}
          again={MERGED}
        />
      ),
      status: 409,
    });

  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const store = await requireStore(transaction);
    const edited = { ...store, ...record };
    const [from, to] = [recordForm.textsOf(store), recordForm.textsOf(edited)];
    requireFormVersion(form, from, to, (comparison) => showConflict(comparison, from));
    const missing = await missingPictures(transaction, Object.values(pictures).filter(Boolean));
    const unavailable = recordForm.pictures.filter((name) => missing.has(pictures[name] ?? ''));
    if (unavailable.length > 0) {
      const texts = unavailable.map(
        (name) => [chosenFile(name), `${recordForm.labelOf(name)}: choose it again`] as const,
      );
      throw new ChangeAborted(() => show(context, { ...again, mistakes: new Map(texts), status: 422 }));
    }
    const changed = differing(to, from);
    if (Object.keys(changed).length === 0) return { to: PATH, message: 'Nothing was different.' };
    await replaceStore(transaction, edited);
    await log({ action: 'changed', target: ['store', 'record'], from: differing(from, to), to: changed });
    return { to: PATH, message: 'Saved. Publish to show it to shoppers.' };
  });
}

const access = 'store';

export const RECORD_PAGES: readonly AdminPage[] = [
  PHONE_PART_PAGE,
  { method: 'GET', path: '/store', access, handle: showRecord },
  { method: 'POST', path: '/store', access, handle: save, formMost: PICTURE_FORM_MOST },
  { method: 'POST', path: '/store/preview', access, handle: preview, formMost: PICTURE_FORM_MOST },
];

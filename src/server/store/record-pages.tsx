import { differences } from '#server/admin/change-log.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import { MAX_UPLOAD_BYTES, recordEditor } from '#server/admin/forms/record-editor.tsx';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { Link, LinkButton, Row } from '#server/admin/views/pieces.tsx';
import { lockCatalogue } from '#server/db/catalogue-version.ts';
import { missingPictures } from '#server/pictures/stored-pictures.ts';
import type { Services } from '#server/services/services.ts';
import { homePlaces, previewButton, refusePreview, showPreview } from './preview.tsx';
import { PHONE_PART_PAGE, phonePart, storeForm, storeFrom, storeTexts } from './record-form.tsx';
import { recordErrors } from './schema.ts';
import { pictureFields, replaceStore, requireStore } from './stored-store.ts';

const PATH = `${ADMIN}/store`;

const storeEditor = recordEditor({
  form: storeForm,
  lock: lockCatalogue,
  find: (_context, _services, db) => requireStore(db),
  textsOf: storeTexts,
  view: (_stored, _services, values) => ({
    title: 'Store',
    action: PATH,
    intro: (
      <>
        <p>
          Shoppers see what you save here after the next <Link href={`${ADMIN}/publish`}>publication</Link>.
        </p>
        <Row>
          <LinkButton href={`${PATH}/categories`}>Categories</LinkButton>
        </Row>
        <h2>The shop and the company</h2>
        {phonePart(values)}
      </>
    ),
    more: previewButton(`${PATH}/preview`, 'Preview the home page'),
  }),
  async store(transaction, log, output, stored) {
    const edited = { ...stored, ...storeFrom(output) };
    const labelOf = (name: string) => storeForm.fields[name]?.label;
    const wrong = [...recordErrors(edited)].map(
      ([name, message]) => [name, `${labelOf(name)} ${message}`] as const,
    );
    if (wrong.length > 0) return { errors: new Map(wrong) };
    const pictures = pictureFields(edited);
    const missing = await missingPictures(
      transaction,
      pictures.map(({ picture }) => picture),
    );
    const lost = pictures.filter(({ picture }) => missing.has(picture));
    if (lost.length > 0)
      return { errors: new Map(lost.map(({ name }) => [name, `${labelOf(name)}: choose it again`])) };
    const changes = differences(storeTexts(stored), storeTexts(edited));
    if (Object.keys(changes.to).length === 0) return { to: PATH, message: 'Nothing was different.' };
    await replaceStore(transaction, edited);
    await log({ action: 'changed', target: ['store', 'record'], ...changes });
    return { to: PATH, message: 'Saved. Publish to show it to shoppers.' };
  },
});

/** Shows the home page with the live pictures, because a preview stores none. */
async function preview(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(storeForm, context.get('form'));
  if (!parsed.isValid) return refusePreview(parsed.errors);
  const record = { ...(await requireStore(services.db)), ...storeFrom(parsed.output) };
  return showPreview(context, services, { path: '/', content: homePlaces(record) });
}

const access = 'store';

export const RECORD_PAGES: readonly AdminPage[] = [
  PHONE_PART_PAGE,
  { method: 'GET', path: '/store', access, handle: storeEditor.open },
  { method: 'POST', path: '/store', access, handle: storeEditor.save, maxFormBytes: MAX_UPLOAD_BYTES },
  { method: 'POST', path: '/store/preview', access, handle: preview, maxFormBytes: MAX_UPLOAD_BYTES },
];

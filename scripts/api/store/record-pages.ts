import { html } from 'hono/html';
import { change, NotDone } from '#scripts/api/office/change.ts';
import { drawForm } from '#scripts/api/office/forms/draw.ts';
import type { Mistakes, Typed } from '#scripts/api/office/forms/field.ts';
import { parseForm, sentText } from '#scripts/api/office/forms/parse.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { OFFICE } from '#scripts/api/office/paths.ts';
import type { Content } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { conflictNotice } from '#scripts/api/office/views/pieces.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { type StoreRecord, saveStoreRecord, storeRecord } from './edit-store.ts';
import { PICTURE_FORM_MOST, picture, takePicture } from './picture.ts';
import { afterOthers, conflictsOf, recordForm, seenOf, typedOf } from './record-form.ts';

const PATH = `${OFFICE}/store`;

interface RecordView {
  readonly typed: Typed;
  /** The record as the editor's page first showed it, by `seenOf`. */
  readonly seen: string;
  readonly version: string;
  /** The file name of the logo, '' for none. */
  readonly logo: string;
  readonly notice?: Content;
  readonly mistakes?: Mistakes;
  readonly status?: 409 | 422;
}

function show(context: OfficeContext, shop: Shop, view: RecordView) {
  const { typed, seen, version, logo, notice = '', mistakes, status } = view;
  const form = drawForm(shop, {
    fields: recordForm.fields,
    action: PATH,
    submit: 'Save',
    typed,
    ...(mistakes ? { mistakes } : {}),
    hidden: { version, seen, companyLogoUrl: logo },
  });
  return showPage(context, {
    title: 'Store',
    content: html`${notice}<p>Shoppers see what you save here after the next <a href="${OFFICE}/publish">publication</a>.</p>
<p class="row"><a class="button quiet" href="${PATH}/categories">Categories</a></p>
<h2>The shop and the company</h2>
${logo === '' ? '' : html`<p>The logo now: ${picture(logo, 'Logo')}</p>`}${form}`,
    ...(status ? { status, hasErrors: true } : {}),
  });
}

async function showRecord(context: OfficeContext, shop: Shop) {
  const { value, version } = await storeRecord(shop.db);
  return show(context, shop, {
    typed: typedOf(value),
    seen: seenOf(value),
    version,
    logo: value.companyLogoUrl,
  });
}

/** The values of `of` that are different in `from`, by name. */
const differing = (of: StoreRecord, from: StoreRecord): Record<string, string> =>
  Object.fromEntries(
    Object.entries(of).filter(
      ([name, value]) => !Object.entries(from).some(([other, was]) => other === name && was === value),
    ),
  );

async function save(context: OfficeContext, shop: Shop): Promise<Response> {
  const form = context.get('form');
  const parsed = parseForm(recordForm, form);
  const seen = sentText(form, 'seen');
  const version = sentText(form, 'version');
  const upload = await takePicture(shop, form.get('logo'));
  const kept = parsed.typed.hasNoLogo === true ? '' : sentText(form, 'companyLogoUrl');
  const logo = upload.status === 'stored' ? upload.name : kept;
  const mistakes = new Map(parsed.isGood ? [] : parsed.mistakes);
  if (upload.status === 'refused') mistakes.set('logo', upload.reason);
  const again = { typed: { ...parsed.typed, hasNoLogo: false }, seen, version, logo };
  if (!parsed.isGood || mistakes.size > 0) return show(context, shop, { ...again, mistakes, status: 422 });

  const { logo: _file, hasNoLogo: _box, ...texts } = parsed.values;
  return change(context, shop, async (transaction, log) => {
    const edit = await saveStoreRecord(transaction, version, { ...texts, companyLogoUrl: logo });
    if (edit.status === 'stale') {
      const { value, version: newVersion } = edit.stored;
      const typed = afterOthers({ ...again.typed, companyLogoUrl: logo }, seen, value);
      const notice = conflictNotice(
        conflictsOf(typed, value),
        'The form has your values where you changed something, and the others’ everywhere else. Save it again if it is right.',
      );
      throw new NotDone(() =>
        show(context, shop, {
          typed,
          seen: seenOf(value),
          version: newVersion,
          logo: String(typed.companyLogoUrl),
          notice,
          status: 409,
        }),
      );
    }
    if (edit.status === 'refused') {
      const text = Object.values(edit.errors).join('. ');
      throw new NotDone(() =>
        show(context, shop, { ...again, mistakes: new Map([['logo', `Logo: ${text}`]]), status: 422 }),
      );
    }
    if (edit.status === 'missing') throw new Error('The store record is never missing.');
    const [before, after] = [edit.before.value, edit.after.value];
    const to = differing(after, before);
    if (Object.keys(to).length === 0) return { to: PATH, message: 'Nothing was different.' };
    await log({ action: 'changed', target: ['store', 'record'], from: differing(before, after), to });
    return { to: PATH, message: 'Saved. Publish to show it to shoppers.' };
  });
}

const access = 'store';

export const RECORD_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/store', access, handle: showRecord },
  { method: 'POST', path: '/store', access, handle: save, formMost: PICTURE_FORM_MOST },
];

import * as v from 'valibot';
import { isPolicySlug, POLICIES, POLICY_SLUGS } from '#domain/policy.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { recordEditor } from '#server/admin/forms/record-editor.tsx';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { Script } from '#server/admin/views/assets.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import { Link, Table } from '#server/admin/views/pieces.tsx';
import { lockCatalogue } from '#server/db/catalogue-version.ts';
import type { Reader } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { builtInText, policyValues, previewHtml, renderPlaceholders } from './policy-text.tsx';
import { previewButton, refusePreview, showPreview } from './preview.tsx';
import { PolicyTextSchema } from './schema.ts';
import { policy, requireStore, savePolicy } from './stored-store.ts';

const PATH = `${ADMIN}/policies`;

/** In bytes: the longest text, with three bytes per character, each of them percent-encoded as three. */
const MAX_FORM_BYTES = 2 * 1_024 * 1_024;

/** An empty text is undefined. */
const FormTextSchema = v.pipe(
  v.string(),
  v.transform((text) => (text.trim() === '' ? undefined : text)),
  PolicyTextSchema,
);

const policyForm = defineForm(v.object({ text: FormTextSchema }), {
  text: {
    label: 'Text',
    hint: '## begins a heading and - a list. **bold**, [a link](/contact). An empty line begins a new paragraph. Without a text, the page shows the one that came with the shop.',
    control: 'textarea',
    rows: 20,
  },
});

async function showPolicies(context: AdminContext, services: Services) {
  const { policies } = await requireStore(services.db);
  const rows = POLICY_SLUGS.map((slug) => [
    <a href={`${PATH}/${slug}`}>{POLICIES[slug]}</a>,
    Object.hasOwn(policies, slug) ? 'Your own text' : 'The text that came with the shop',
  ]);
  return showPage(context, {
    title: 'Policies',
    content: (
      <>
        <p>
          Shoppers see what you save here after the next <Link href={`${ADMIN}/publish`}>publication</Link>.
        </p>
        <Table caption="The pages at the foot of the shop" heads={['Page', 'It shows']} rows={rows} />
      </>
    ),
  });
}

/** `own` is undefined if the page shows the built-in text. */
async function findPolicy(context: AdminContext, services: Services, db: Reader) {
  const slug = context.req.param('slug') ?? '';
  if (!isPolicySlug(slug)) throw new Refusal(404, 'There is no such policy.');
  return { slug, own: await policy(db, slug), builtIn: await builtInText(services, slug) };
}

const policyEditor = recordEditor({
  form: policyForm,
  lock: lockCatalogue,
  find: findPolicy,
  textsOf: ({ own, builtIn }) => ({ text: own ?? builtIn }),
  view: async ({ slug, own }, services) => ({
    title: POLICIES[slug],
    action: `${PATH}/${slug}`,
    head: <Script name="insert" />,
    intro: own === undefined && <p>This is the text that came with the shop. What you save replaces it.</p>,
    more: previewButton(`${PATH}/${slug}/preview`, 'Preview'),
    below: (
      <>
        <details>
          <summary>How to write it</summary>
          <p>
            The text is{' '}
            <a href="https://commonmark.org/help/" target="_blank" rel="noreferrer">
              Markdown
            </a>
            . <code>\</code> at the end of a line begins a new line. A table has <code>|</code> between its
            cells and <code>| --- | --- |</code> under its first row. A text that begins with a tag, such as{' '}
            <code>&lt;p&gt;</code>, is HTML. Scripts, styles and forms are left out.
          </p>
        </details>
        {renderPlaceholders(await policyValues(services))}
      </>
    ),
  }),
  async store(transaction, log, output, { slug, own, builtIn }) {
    const text = output.text === builtIn ? undefined : output.text;
    if (own === text) return { to: `${PATH}/${slug}`, message: 'Nothing was different.' };
    await savePolicy(transaction, slug, text);
    await log({
      action: text === undefined ? 'restored the built-in text' : 'changed',
      target: ['policy', slug],
      from: { text: own ?? null },
      to: { text: text ?? null },
    });
    return { to: PATH, message: `${POLICIES[slug]}: saved. Publish to show it to shoppers.` };
  },
});

async function preview(context: AdminContext, services: Services): Promise<Response> {
  const { slug, builtIn } = await findPolicy(context, services, services.db);
  const parsed = parseForm(policyForm, context.get('form'));
  if (!parsed.isValid) return refusePreview(parsed.errors);
  const html = previewHtml(parsed.output.text ?? builtIn, await policyValues(services));
  return showPreview(context, services, {
    path: `/${slug}`,
    content: { '.policy-text': html },
    alone: html,
  });
}

const access = 'policies';

export const POLICY_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/policies', access, handle: showPolicies },
  { method: 'GET', path: '/policies/:slug', access, handle: policyEditor.open },
  {
    method: 'POST',
    path: '/policies/:slug',
    access,
    handle: policyEditor.save,
    maxFormBytes: MAX_FORM_BYTES,
  },
  { method: 'POST', path: '/policies/:slug/preview', access, handle: preview, maxFormBytes: MAX_FORM_BYTES },
];

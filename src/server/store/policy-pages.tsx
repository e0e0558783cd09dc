import type { ReactNode } from 'react';
import * as v from 'valibot';
import { isPolicySlug, POLICIES, POLICY_SLUGS, type PolicySlug } from '#domain/policy.ts';
import { change } from '#server/admin/change.ts';
import { formVersionIn, formVersionOf, requireFormVersion } from '#server/admin/form-version.ts';
import { Form, PostForm } from '#server/admin/forms/Form.tsx';
import type { Mistakes } from '#server/admin/forms/field.ts';
import { defineForm, parseForm, sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { Script } from '#server/admin/views/assets.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, ConflictNotice, Link, Table } from '#server/admin/views/pieces.tsx';
import { Refusal } from '#server/http/refusal.ts';
import { lockCatalogue } from '#server/services/catalogue-version.ts';
import type { Services } from '#server/services/services.ts';
import { builtInText, linesOnlyIn, policyValues, previewHtml, renderPlaceholders } from './policy-text.tsx';
import { previewButton, refusePreview, showPreview } from './preview.tsx';
import { type PolicyText, PolicyTextSchema } from './schema.ts';
import { policy, savePolicy } from './stored-store.ts';

const PATH = `${ADMIN}/policies`;

/** In bytes: the longest text, with three bytes per character, each of them percent-encoded as three. */
const FORM_MOST = 2 * 1_024 * 1_024;

const policyForm = defineForm(v.object({ text: v.nonOptional(PolicyTextSchema) }), {
  text: {
    label: 'Text',
    hint: '## begins a heading and - a list. **bold**, [a link](/contact). An empty line begins a new paragraph.',
    control: 'textarea',
    rows: 20,
  },
});

/** The shop's own text, for the form version. It cannot be empty; '' is the built-in text. */
const partsOf = (own: PolicyText) => ({ Text: own ?? '' });

async function showPolicies(context: AdminContext, services: Services) {
  const rows = await Promise.all(
    POLICY_SLUGS.map(async (slug) => {
      const isBuiltIn = (await policy(services.db, slug)) === undefined;
      const whose = isBuiltIn ? 'The text that came with the shop' : 'Your own text';
      return [<a href={`${PATH}/${slug}`}>{POLICIES[slug]}</a>, whose];
    }),
  );
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

interface PolicyView {
  readonly slug: PolicySlug;
  readonly text: string;
  /** The form version (`form-version.ts`). */
  readonly version: string;
  readonly isBuiltIn: boolean;
  readonly top?: ReactNode;
  readonly mistakes?: Mistakes;
  readonly status?: 409 | 422;
}

async function show(context: AdminContext, services: Services, view: PolicyView) {
  const { slug, text, version, isBuiltIn, top = '', mistakes, status } = view;
  const action = `${PATH}/${slug}`;
  const form = (
    <Form
      fields={policyForm.fields}
      action={action}
      submit="Save"
      typed={{ text }}
      mistakes={mistakes}
      hidden={{ version }}
      more={previewButton(`${action}/preview`, 'Preview')}
    />
  );
  const back = isBuiltIn ? null : (
    <>
      <h2>The text that came with the shop</h2>
      <p>It replaces your text.</p>
      <details>
        <summary>Go back to it</summary>
        <PostForm action={`${action}/built-in`} hidden={{ version }}>
          <Button look="danger">Yes, show the text that came with the shop</Button>
        </PostForm>
      </details>
    </>
  );
  return showPage(context, {
    title: POLICIES[slug],
    content: (
      <>
        {top}
        {isBuiltIn && <p>This is the text that came with the shop. What you save replaces it.</p>}
        {form}
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
        {back}
      </>
    ),
    head: <Script name="insert" />,
    status,
  });
}

function slugOf(context: AdminContext): PolicySlug {
  const slug = context.req.param('slug') ?? '';
  if (!isPolicySlug(slug)) throw new Refusal(404, 'There is no such policy.');
  return slug;
}

async function showPolicy(context: AdminContext, services: Services) {
  const slug = slugOf(context);
  const own = await policy(services.db, slug);
  const text = own ?? (await builtInText(services, slug));
  return show(context, services, {
    slug,
    text,
    version: formVersionOf(partsOf(own)),
    isBuiltIn: own === undefined,
  });
}

/** Parses the form, with a view to show it again with the typed text. */
async function typedAgain(context: AdminContext, services: Services) {
  const slug = slugOf(context);
  const form = context.get('form');
  const own = await policy(services.db, slug);
  const parsed = parseForm(policyForm, form);
  const again = {
    slug,
    text: sentText(form, 'text'),
    version: formVersionIn(form),
    isBuiltIn: own === undefined,
  };
  return { slug, parsed, again };
}

async function preview(context: AdminContext, services: Services): Promise<Response> {
  const { parsed, again } = await typedAgain(context, services);
  if (!parsed.isValid) return refusePreview(parsed.mistakes);
  const text = previewHtml(again.text, await policyValues(services));
  return showPreview(context, services, {
    path: `/${again.slug}`,
    content: { '.policy-text': text },
    alone: text,
  });
}

/** @param text undefined for the built-in text */
function saveText(context: AdminContext, services: Services, again: PolicyView, text: string | undefined) {
  const { slug } = again;

  async function showConflict(stored: PolicyText): Promise<Response> {
    const now = stored ?? (await builtInText(services, slug));
    const yours = text ?? (await builtInText(services, slug));
    const both = { label: 'Text', yours: linesOnlyIn(yours, now), now: linesOnlyIn(now, yours) };
    const top = (
      <ConflictNotice
        conflicts={[both]}
        again="The form has your text. Copy what is missing in it, and save it again."
      />
    );
    const [isBuiltIn, version] = [stored === undefined, formVersionOf(partsOf(stored))];
    return show(context, services, { ...again, text: yours, version, isBuiltIn, top, status: 409 });
  }

  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const stored = await policy(transaction, slug);
    requireFormVersion(context.get('form'), partsOf(stored), partsOf(text), () => showConflict(stored));
    if (stored === text) return { to: `${PATH}/${slug}`, message: 'Nothing was different.' };
    await savePolicy(transaction, slug, text);
    await log({
      action: text === undefined ? 'restored the built-in text' : 'changed',
      target: ['policy', slug],
      from: { text: stored ?? null },
      to: { text: text ?? null },
    });
    return { to: PATH, message: `${POLICIES[slug]}: saved. Publish to show it to shoppers.` };
  });
}

async function save(context: AdminContext, services: Services): Promise<Response> {
  const { parsed, again } = await typedAgain(context, services);
  if (!parsed.isValid) return show(context, services, { ...again, mistakes: parsed.mistakes, status: 422 });
  return saveText(context, services, again, parsed.values.text);
}

async function takeBuiltIn(context: AdminContext, services: Services): Promise<Response> {
  const { again } = await typedAgain(context, services);
  return saveText(context, services, again, undefined);
}

const access = 'policies';

export const POLICY_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/policies', access, handle: showPolicies },
  { method: 'GET', path: '/policies/:slug', access, handle: showPolicy },
  { method: 'POST', path: '/policies/:slug', access, handle: save, formMost: FORM_MOST },
  { method: 'POST', path: '/policies/:slug/preview', access, handle: preview, formMost: FORM_MOST },
  { method: 'POST', path: '/policies/:slug/built-in', access, handle: takeBuiltIn },
];

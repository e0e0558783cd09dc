import { icons } from '@iconify-json/lucide';
import { selectOne } from 'css-select';
import { DomUtils, parseDocument } from 'htmlparser2';
import ky from 'ky';
import { homeTexts, trustTiles } from '#domain/home-texts.ts';
import { type StoreRecord, withDefaults } from '#domain/store-fields.ts';
import { escapeMarkup } from '#domain/text.ts';
import type { Errors } from '#server/admin/forms/field.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, Notice } from '#server/admin/views/pieces.tsx';
import { siteOf } from '#server/email/render.tsx';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { STORE_DEFAULTS } from '#site.ts';

/** The same markup as `Icon.astro`. */
const renderIcon = (name: string): string =>
  `<svg class="icon" width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">${icons.icons[name]?.body ?? ''}</svg>`;

/** Returns the record's texts for the home page, as `Hero.astro` and `Trust.astro` render them. Without the picture. */
export function homePlaces(record: StoreRecord): Places {
  const store = withDefaults(record, STORE_DEFAULTS);
  const { hero, trust } = homeTexts(store);
  const tiles = trustTiles({ ...store, trust }).map(
    ({ icon, title, text }) =>
      `<li>${renderIcon(icon)}<span><b>${escapeMarkup(title)}</b> ${escapeMarkup(text)}</span></li>`,
  );
  return {
    '.hero h1': hero.title.split('\n').map(escapeMarkup).join('<br>'),
    '.hero-side p': escapeMarkup(hero.text),
    '.trust': tiles.join(''),
  };
}

/** In ms. */
const TIMEOUT = 5_000;

/** Returns the live page with the new content, or why it cannot be shown, as a sentence. */
async function livePageWith(services: Services, { path, content }: Preview) {
  const address = new URL(path, siteOf(services)).href;
  const request = ky(address, { timeout: TIMEOUT, retry: 0, throwHttpErrors: false });
  const [answer, html = ''] = await Promise.all([request, request.text()]).catch(() => []);
  if (!answer) return `The shop's page at ${address} does not answer.`;
  if (!answer.ok) return `The shop's page at ${address} answered with status ${answer.status}.`;
  const page = withContent(html, content);
  return page === undefined
    ? `The shop's page at ${answer.url} is of another version. Publish once, then it can be shown.`
    : { page, address: answer.url };
}

/** New HTML by the selector of its place in the page. */
export type Places = Readonly<Record<string, string>>;

/** Returns the page with the new content and without scripts; undefined if it lacks one of the places. */
function withContent(html: string, content: Places): string | undefined {
  const document = parseDocument(html);
  for (const [place, inner] of Object.entries(content)) {
    const parent = selectOne(place, document);
    if (!parent) return undefined;
    for (const child of [...parent.children]) DomUtils.removeElement(child);
    for (const child of [...parseDocument(inner).children]) DomUtils.appendChild(parent, child);
  }
  for (const script of DomUtils.getElementsByTagName('script', document)) DomUtils.removeElement(script);
  return DomUtils.getOuterHTML(document);
}

/** The preview opens in a new tab, so that the form keeps what was typed. */
export const previewButton = (action: string, label: string) => (
  <Button variant="quiet" formAction={action} formTarget="_blank">
    {label}
  </Button>
);

/** Allows inline styles and the shop's pictures, but no scripts. */
const policyFor = (address: string): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src https: http: data:',
    `base-uri ${new URL(address).origin}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    'sandbox',
  ].join('; ');

const BAR =
  '<p style="position:sticky;bottom:0;z-index:99;margin:0;padding:12px 20px;background:#0f2a20;color:#fff;font-weight:600">Preview. Nothing is saved yet.</p>';

interface Preview {
  /** The page of the shop, such as `/terms`. */
  readonly path: string;
  /** Sanitised HTML. */
  readonly content: Places;
  /** Sanitised HTML to show without the live page. */
  readonly alone?: string;
}

/** Answers with the shop's live page and new content, or explains why that is not possible. */
export async function showPreview(context: AdminContext, services: Services, preview: Preview) {
  const live = await livePageWith(services, preview);
  if (typeof live !== 'string') {
    const base = `<base href="${escapeMarkup(live.address)}">`;
    const shown = live.page.replace('<head>', (tag) => tag + base).replace('</body>', (tag) => BAR + tag);
    return context.html(shown, 200, { 'Content-Security-Policy': policyFor(live.address) });
  }
  return showPage(context, {
    title: 'Preview',
    content: (
      <>
        <Notice>
          <p>{live} Nothing is saved yet.</p>
        </Notice>
        {preview.alone !== undefined && (
          <section
            className="mb-5 max-w-[68ch] overflow-auto rounded-panel border-2 border-line p-4"
            aria-label="The text alone"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: The text of a policy, sanitized.
            dangerouslySetInnerHTML={{ __html: preview.alone }}
          />
        )}
      </>
    ),
  });
}

/** @throws Refusal 422 with the errors. The form is still open in the tab before. */
export function refusePreview(errors: Errors): never {
  throw new Refusal(
    422,
    `${[...errors.values()].join('. ')}. Close this tab and correct it where you typed it.`,
  );
}

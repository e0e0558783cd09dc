import { icons } from '@iconify-json/lucide';
import { html, raw } from 'hono/html';
import { DomUtils, parseDocument } from 'htmlparser2';
import { homeTexts, trustTiles } from '#domain/home-texts.ts';
import { type StoreRecord, withDefaults } from '#domain/store-fields.ts';
import { escapeMarkup } from '#domain/text.ts';
import type { Mistakes } from '#server/admin/forms/field.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { siteOf } from '#server/email/render.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { STORE_DEFAULTS } from '#site.ts';

/** As `Icon.astro` draws it. */
const renderIcon = (name: string): string =>
  `<svg class="icon" width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">${icons.icons[name]?.body ?? ''}</svg>`;

/** What the home page tells of the record, as `Hero.astro` and `Trust.astro` draw it. Its picture is not among it. */
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

/** How long the shop may take to answer, in ms. */
const TIMEOUT = 5_000;

type LivePage =
  | { readonly status: 'read'; readonly html: string; readonly address: string }
  /** `reason` is a sentence for the staff. */
  | { readonly status: 'failed'; readonly reason: string };

/** Reads a page as shoppers get it now. @param path such as `/terms` */
export async function readLivePage(services: Pick<Services, 'settings'>, path: string): Promise<LivePage> {
  const address = new URL(path, siteOf(services)).href;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) });
    const html = await answer.text();
    return answer.ok
      ? { status: 'read', html, address: answer.url }
      : { status: 'failed', reason: `The shop's page at ${address} answered with status ${answer.status}.` };
  } catch {
    return { status: 'failed', reason: `The shop's page at ${address} does not answer.` };
  }
}

/** New HTML by its place: steps from the outside to the inside, each a tag or a class, such as `.hero h1`. */
export type Places = Readonly<Record<string, string>>;

type Parent = ReturnType<typeof parseDocument> | NonNullable<ReturnType<typeof DomUtils.findOne>>;

function findPlace(document: Parent, place: string): Parent | null {
  let found: Parent | null = document;
  for (const step of place.split(' ')) {
    found = DomUtils.findOne(
      ({ name, attribs }) =>
        step === name || (attribs.class ?? '').split(' ').includes(step.replace('.', '')),
      found.children,
    );
    if (!found) return null;
  }
  return found;
}

/** Returns the page without its scripts and with other content in its places, undefined where it lacks one of them. */
export function withContent(html: string, content: Places): string | undefined {
  const document = parseDocument(html);
  for (const [place, inner] of Object.entries(content)) {
    const parent = findPlace(document, place);
    if (!parent) return undefined;
    for (const child of [...parent.children]) DomUtils.removeElement(child);
    for (const child of [...parseDocument(inner).children]) DomUtils.appendChild(parent, child);
  }
  for (const script of DomUtils.getElementsByTagName('script', document)) DomUtils.removeElement(script);
  return DomUtils.getOuterHTML(document);
}

/** The page that a preview opens, which leaves what was typed in the tab before. */
export const previewButton = (action: string, label: string) =>
  html`<button class="quiet" formaction="${action}" formtarget="_blank">${label}</button>`;

/** The styles stand in the page, and its pictures come from the shop. Nothing of it runs. */
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

/** Stays in view at the foot of the page. */
const BAR =
  '<p style="position:sticky;bottom:0;z-index:99;margin:0;padding:12px 20px;background:#0f2a20;color:#fff;font-weight:600">Preview. Nothing is saved yet.</p>';

interface Preview {
  /** The page of the shop, such as `/terms`. */
  readonly path: string;
  /** Its new content, which is clean. */
  readonly content: Places;
  /** What is shown where the page cannot be had: clean HTML. */
  readonly alone?: string;
}

/** Answers with the shop's own page as it is live, with new content, or says why there is no such page. */
export async function showPreview(
  context: AdminContext,
  services: Services,
  { path, content, alone }: Preview,
) {
  const live = await readLivePage(services, path);
  const page = live.status === 'read' ? withContent(live.html, content) : undefined;
  if (live.status === 'read' && page !== undefined) {
    const base = `<base href="${escapeMarkup(live.address)}">`;
    const shown = page.replace('<head>', (tag) => tag + base).replace('</body>', (tag) => BAR + tag);
    return context.html(shown, 200, { 'Content-Security-Policy': policyFor(live.address) });
  }
  const reason =
    live.status === 'failed'
      ? live.reason
      : `The shop's page at ${live.address} is of another version. Publish once, then it can be shown.`;
  return showPage(context, {
    title: 'Preview',
    content: html`<p class="notice">${reason} Nothing is saved yet.</p>
${alone === undefined ? '' : html`<section class="preview" aria-label="The text alone">${raw(alone)}</section>`}`,
  });
}

/** Says what cannot be shown. What was typed is in the tab before. */
export function refusePreview(mistakes: Mistakes): never {
  throw new Refusal(
    422,
    `${[...mistakes.values()].join('. ')}. Close this tab and correct it where you typed it.`,
  );
}

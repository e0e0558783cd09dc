import { html, raw } from 'hono/html';
import { escapeMarkup } from '#domain/text.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import type { Mistakes } from '#scripts/api/office/forms/field.ts';
import type { OfficeContext } from '#scripts/api/office/page.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { type Places, readLivePage, withContent } from './live-page.ts';

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
export async function showPreview(context: OfficeContext, shop: Shop, { path, content, alone }: Preview) {
  const live = await readLivePage(shop, path);
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

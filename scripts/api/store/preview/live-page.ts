import { icons } from '@iconify-json/lucide';
import { DomUtils, parseDocument } from 'htmlparser2';
import { homeTexts, trustTiles } from '#domain/home-texts.ts';
import { type StoreRecord, withDefaults } from '#domain/store-fields.ts';
import { escapeMarkup } from '#domain/text.ts';
import { siteOf } from '#scripts/api/letters/sender.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { STORE_DEFAULTS } from '#site.ts';

/** As `Icon.astro` draws it. */
const drawIcon = (name: string): string =>
  `<svg class="icon" width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">${icons.icons[name]?.body ?? ''}</svg>`;

/** What the home page tells of the record, as `Hero.astro` and `Trust.astro` draw it. Its picture is not among it. */
export function homePlaces(record: StoreRecord): Places {
  const store = withDefaults(record, STORE_DEFAULTS);
  const { hero, trust } = homeTexts(store);
  const tiles = trustTiles({ ...store, trust }).map(
    ({ icon, title, text }) =>
      `<li>${drawIcon(icon)}<span><b>${escapeMarkup(title)}</b> ${escapeMarkup(text)}</span></li>`,
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
export async function readLivePage(shop: Pick<Shop, 'settings'>, path: string): Promise<LivePage> {
  const address = new URL(path, siteOf(shop)).href;
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

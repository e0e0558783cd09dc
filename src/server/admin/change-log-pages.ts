import { html } from 'hono/html';
import { drawField } from './forms/draw.ts';
import { showPage } from './views/layout.ts';
import { pageNumber, pagination, table, time } from './views/pieces.ts';
import type { Shop } from '#server/services/shop.ts';
import {
  authorsOfChanges,
  type ChangeFilter,
  type ChangeRow,
  countChanges,
  readChanges,
} from './change-log.ts';
import type { OfficeContext, OfficePage } from './page.ts';
import { OFFICE } from './paths.ts';

const PATH = `${OFFICE}/log`;

const ROWS_A_PAGE = 25;

/** A long text, such as a policy, is cut here. The database has all of it. */
const TEXT_MOST = 120;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > TEXT_MOST ? `${text.slice(0, TEXT_MOST)} …` : text;
}

const values = (of: ChangeRow['from']) =>
  Object.entries(of ?? {}).map(([name, value]) => html`<div class="stored">${name}: ${shown(value)}</div>`);

const logPath = ({ who, type, id }: ChangeFilter, page = 1): string =>
  `${PATH}?${new URLSearchParams({ ...(who ? { who } : {}), ...(type ? { type, id } : {}), page: String(page) })}`;

function drawRow({ at, who, action, targetType, targetId, from, to }: ChangeRow) {
  const target = html`<a href="${logPath({ who: '', type: targetType, id: targetId })}">${targetType} ${targetId}</a>`;
  return [time(at), who, action, target, values(from), values(to)];
}

async function showLog(context: OfficeContext, shop: Shop) {
  const { who = '', type = '', id = '', page: given } = context.req.query();
  const filter = { who, type, id };
  const [count, authors] = await Promise.all([countChanges(shop.db, filter), authorsOfChanges(shop.db)]);
  const pages = Math.max(1, Math.ceil(count / ROWS_A_PAGE));
  const page = pageNumber(given, pages);
  const rows = await readChanges(shop.db, filter, ROWS_A_PAGE, (page - 1) * ROWS_A_PAGE);
  const options = [{ value: '', label: 'Everyone' }, ...authors.map((value) => ({ value, label: value }))];
  const about = type ? `Of ${type} ${id}` : 'Newest first';
  return showPage(context, {
    title: 'Log',
    content: html`<form class="row" method="get" action="${PATH}">
${drawField('who', { label: 'Person', control: 'select', options }, { who })}
${type ? html`<input type="hidden" name="type" value="${type}"><input type="hidden" name="id" value="${id}">` : ''}
<button class="quiet">Show</button>${type || who ? html`<a class="button quiet" href="${PATH}">Show all</a>` : ''}</form>
${rows.length === 0 ? html`<p>Nothing was changed yet.</p>` : table(about, ['When', 'Who', 'Did', 'What', 'From', 'To'], rows.map(drawRow))}
${pagination({ page, pages, path: (number) => logPath(filter, number) })}`,
  });
}

export const LOG_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/log', access: 'log', handle: showLog },
];

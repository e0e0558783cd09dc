import { html } from 'hono/html';
import type { Services } from '#server/services/services.ts';
import {
  authorsOfChanges,
  type ChangeFilter,
  type ChangeRow,
  countChanges,
  readChanges,
} from './change-log.ts';
import { renderField } from './forms/render.ts';
import type { AdminContext, AdminPage } from './page.ts';
import { ADMIN } from './paths.ts';
import { showPage } from './views/layout.ts';
import { pageNumber, pagination, table, time } from './views/pieces.ts';

const PATH = `${ADMIN}/log`;

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

function renderRow({ at, who, action, targetType, targetId, from, to }: ChangeRow) {
  const target = html`<a href="${logPath({ who: '', type: targetType, id: targetId })}">${targetType} ${targetId}</a>`;
  return [time(at), who, action, target, values(from), values(to)];
}

async function showLog(context: AdminContext, services: Services) {
  const { who = '', type = '', id = '', page: given } = context.req.query();
  const filter = { who, type, id };
  const [count, authors] = await Promise.all([
    countChanges(services.db, filter),
    authorsOfChanges(services.db),
  ]);
  const pages = Math.max(1, Math.ceil(count / ROWS_A_PAGE));
  const page = pageNumber(given, pages);
  const rows = await readChanges(services.db, filter, ROWS_A_PAGE, (page - 1) * ROWS_A_PAGE);
  const options = [{ value: '', label: 'Everyone' }, ...authors.map((value) => ({ value, label: value }))];
  const about = type ? `Of ${type} ${id}` : 'Newest first';
  return showPage(context, {
    title: 'Log',
    content: html`<form class="row" method="get" action="${PATH}">
${renderField('who', { label: 'Who', control: 'select', options }, { who })}
${type ? html`<input type="hidden" name="type" value="${type}"><input type="hidden" name="id" value="${id}">` : ''}
<button class="quiet">Show</button>${type || who ? html`<a class="button quiet" href="${PATH}">Show all</a>` : ''}</form>
${rows.length === 0 ? html`<p>Nothing was changed yet.</p>` : table(about, ['When', 'Who', 'Did', 'What', 'From', 'To'], rows.map(renderRow))}
${pagination({ page, pages, path: (number) => logPath(filter, number) })}`,
  });
}

export const LOG_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/log', access: 'log', handle: showLog },
];

import type { ComponentProps } from 'react';
import type { Services } from '#server/services/services.ts';
import {
  authorsOfChanges,
  type ChangeFilter,
  type ChangeRow,
  countChanges,
  readChanges,
} from './change-log.ts';
import { FormField } from './forms/Form.tsx';
import type { AdminContext, AdminPage } from './page.ts';
import { ADMIN } from './paths.ts';
import { showPage } from './views/Page.tsx';
import { Button, LinkButton, Pagination, pageNumber, Table, Time } from './views/pieces.tsx';

const PATH = `${ADMIN}/log`;

const ROWS_A_PAGE = 20;

/** A long text, such as a policy, is cut here. The database has all of it. */
const MAX_TEXT_LENGTH = 120;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)} …` : text;
}

/** Values, emails and file names may be one long word each. */
const LongWords = (props: ComponentProps<'div'>) => <div className="wrap-anywhere min-w-30" {...props} />;

const values = (of: ChangeRow['from']) =>
  Object.entries(of ?? {}).map(([name, value]) => (
    <LongWords key={name} data-stored>
      {name}: {shown(value)}
    </LongWords>
  ));

const logPath = ({ who, type, id }: ChangeFilter, page = 1): string =>
  `${PATH}?${new URLSearchParams({ ...(who ? { who } : {}), ...(type ? { type, id } : {}), page: String(page) })}`;

const renderRow = ({ at, who, action, targetType, targetId, from, to }: ChangeRow) => [
  <Time at={at} />,
  <LongWords>{who}</LongWords>,
  action,
  <LongWords>
    <a href={logPath({ who: '', type: targetType, id: targetId })}>
      {targetType} {targetId}
    </a>
  </LongWords>,
  values(from),
  values(to),
];

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
    content: (
      <>
        <form className="flex flex-wrap items-end gap-3" method="get" action={PATH}>
          <FormField name="who" field={{ label: 'Who', control: 'select', options }} values={{ who }} />
          {type && (
            <>
              <input type="hidden" name="type" value={type} />
              <input type="hidden" name="id" value={id} />
            </>
          )}
          <Button variant="quiet">Show</Button>
          {(type || who) && <LinkButton href={PATH}>Show all</LinkButton>}
        </form>
        <Table
          empty="Nothing was changed yet."
          caption={about}
          heads={['When', 'Who', 'Did', 'What', 'From', 'To']}
          rows={rows.map(renderRow)}
        />
        <Pagination page={page} pages={pages} path={(number) => logPath(filter, number)} />
      </>
    ),
  });
}

export const LOG_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/log', access: 'log', handle: showLog },
];

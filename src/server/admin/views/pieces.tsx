import type { ComponentProps, ReactNode } from 'react';

type Look = 'quiet' | 'danger';

interface ButtonLook {
  readonly look?: Look;
  readonly isSmall?: boolean;
}

const classes = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined;

/** Sends its form. */
export const Button = ({ look, isSmall, className, ...props }: ComponentProps<'button'> & ButtonLook) => (
  <button type="submit" className={classes(look, isSmall && 'small', className)} {...props} />
);

/** A link that looks like a button. */
export const LinkButton = ({ look, isSmall, ...props }: ComponentProps<'a'> & ButtonLook) => (
  <a className={classes('button', look, isSmall && 'small')} {...props} />
);

interface NoticeProps {
  readonly id: string;
  readonly title: ReactNode;
  /** Whether it answers a form. It has the focus, so that screen readers read it first. */
  readonly isAlert?: boolean;
  readonly children?: ReactNode;
}

export const Notice = ({ id, title, isAlert = false, children }: NoticeProps) => (
  <section
    className="notice"
    aria-labelledby={id}
    {...(isAlert && { role: 'alert', tabIndex: -1, autoFocus: true })}
  >
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

interface TableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A responsive table: on narrow screens each row becomes a block with the heads as labels (`admin.css`). */
export const Table = ({ caption, heads, rows }: TableProps) => (
  <table role="table">
    <caption>{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {heads.map((head) => (
          <th key={head} role="columnheader" scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {rows.map((cells, row) => (
        <tr key={row} role="row">
          {cells.map((cell, column) => (
            <td key={column} role="cell" data-label={heads[column]}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const TIME = new Intl.DateTimeFormat('en-IN', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Asia/Kolkata',
});

/** A time in India, such as '5 Jan 2026, 3:30 pm'. @param at ms since 1970 */
export const Time = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at).toISOString()}>{TIME.format(at)}</time>
);

interface PaginationProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly path: (page: number) => string;
}

/** Parses a page number from the query, clamped to 1 … `pages`. */
export function pageNumber(given: string | undefined, pages: number): number {
  const page = /^\d{1,7}$/.test(given ?? '') ? Number(given) : 1;
  return Math.max(1, Math.min(page, pages));
}

export const Pagination = ({ page, pages, path }: PaginationProps) =>
  pages > 1 && (
    <nav className="pages" aria-label="Pages">
      {page > 1 && (
        <LinkButton look="quiet" href={path(page - 1)} rel="prev">
          Previous
        </LinkButton>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <LinkButton look="quiet" href={path(page + 1)} rel="next">
          Next
        </LinkButton>
      )}
    </nav>
  );

/** A part of a record that this editor and another staff member changed. */
export interface Conflict<Shown = string> {
  readonly label: string;
  readonly yours: Shown;
  readonly now: Shown;
}

export const MERGED =
  'The form has your values where you changed something, and the saved values everywhere else. Save it again if it is right.';

interface ConflictNoticeProps {
  readonly conflicts: readonly Conflict<ReactNode>[];
  /** What to do now. */
  readonly again: ReactNode;
}

/** The notice about an edit conflict, with both values. */
export const ConflictNotice = ({ conflicts, again }: ConflictNoticeProps) => (
  <Notice id="conflict" title="This was changed in the meantime" isAlert>
    <p>Another staff member saved it after you opened this page. Nothing of yours was saved.</p>
    {conflicts.length > 0 && (
      <Table
        caption="Both values"
        heads={['What', 'Your value', 'The value now']}
        rows={conflicts.map(({ label, yours, now }) => [label, yours || 'nothing', now || 'nothing'])}
      />
    )}
    <p>{again}</p>
  </Notice>
);

import { type ComponentProps, type ReactNode, useContext } from 'react';
import { staffStatusOf } from '#server/admin/order-status.ts';
import { thumbnailPath } from '#server/admin/paths.ts';
import { Allowed, CanSend, Rights } from '#server/admin/rights.tsx';

interface ButtonVariant {
  readonly variant?: 'quiet' | 'danger' | undefined;
  readonly size?: 'small' | undefined;
}

const buttonClass = ({ variant, size }: ButtonVariant): string =>
  `btn${variant ? ` btn-${variant}` : ''}${size ? ` btn-${size}` : ''}`;

/** Sends its form. Hidden from staff without the right. */
export function Button({ variant, size, ...props }: ComponentProps<'button'> & ButtonVariant) {
  const mayOpen = useContext(Rights);
  const canSend = useContext(CanSend);
  const { formAction } = props;
  return (
    (typeof formAction === 'string' ? mayOpen(formAction, 'POST') : canSend) && (
      <button type="submit" className={buttonClass({ variant, size })} {...props} />
    )
  );
}

interface LinkButtonProps extends ComponentProps<'a'>, Pick<ButtonVariant, 'size'> {
  /** Whether it leads to what most people come for. */
  readonly isMain?: boolean;
}

/** A link that looks like a button. Hidden from staff who may not open its page. */
export const LinkButton = ({ isMain = false, size, ...props }: LinkButtonProps) => (
  <Allowed to={props.href ?? ''}>
    <a className={buttonClass({ variant: isMain ? undefined : 'quiet', size })} {...props} />
  </Allowed>
);

/** A plain text for staff who may not open the page. */
export const Link = (props: ComponentProps<'a'>) => (
  <Allowed to={props.href ?? ''} otherwise={props.children}>
    <a {...props} />
  </Allowed>
);

/** A link that stands alone, large enough for a finger. */
export const TouchLink = (props: ComponentProps<'a'>) => <Link className="touch" {...props} />;

/** Buttons, links and small fields beside each other. */
export const Row = (props: ComponentProps<'div'>) => (
  <div className="flex flex-wrap items-end gap-3" {...props} />
);

/** Each text on a line of its own. Empty ones are left out. */
export const Lines = ({ of }: { readonly of: readonly string[] }) => (
  <span className="whitespace-pre-line">{of.filter(Boolean).join('\n')}</span>
);

/** A secret that is shown once, to be copied: a click selects all of it. */
export const Secret = (props: ComponentProps<'p'>) => (
  <p
    className="select-all whitespace-pre-line rounded-input bg-mist p-3 font-[ui-monospace,monospace]"
    {...props}
  />
);

export const Hint = (props: ComponentProps<'p'>) => <p className="hint" {...props} />;

/** A small stored picture, or one at another host. */
export const Picture = ({ name, alt }: { readonly name: string; readonly alt: string }) => (
  <img className="thumbnail" src={thumbnailPath(name)} alt={alt} width="64" height="64" loading="lazy" />
);

const TONES = {
  yellow: 'bg-yellow text-on-yellow',
  blue: 'bg-blue text-on-blue',
  purple: 'bg-purple text-on-purple',
  green: 'bg-green text-on-green',
  red: 'bg-red text-on-red',
  grey: 'bg-grey text-on-grey',
};

export const Badge = ({
  tone = 'grey',
  ...props
}: ComponentProps<'span'> & { readonly tone?: keyof typeof TONES }) => (
  <span className={`badge ${TONES[tone]}`} {...props} />
);

export function StatusBadge({ status }: { readonly status: number }) {
  const { label, tone } = staffStatusOf(status);
  return <Badge tone={tone}>{label}</Badge>;
}

const BOX = 'mb-5 rounded-panel border-2 px-4 py-3';

/** Says what was done. */
export const Message = (props: ComponentProps<'p'>) => (
  <p className={`${BOX} border-leaf bg-leaf-tint`} {...props} />
);

interface NoticeProps {
  readonly id?: string;
  readonly title?: ReactNode;
  /** Whether it is the result of a form. It gets the focus, so that screen readers read it first. */
  readonly isAlert?: boolean;
  readonly children?: ReactNode;
}

export const Notice = ({ id, title, isAlert = false, children }: NoticeProps) => (
  <section
    className={`${BOX} border-error bg-raised [&>:first-child]:mt-0 [&>:last-child]:mb-0`}
    aria-labelledby={id}
    {...(isAlert && { role: 'alert', tabIndex: -1, autoFocus: true })}
  >
    {title && <h2 id={id}>{title}</h2>}
    {children}
  </section>
);

interface TableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  /** Instead of a table without rows. Else there is nothing. */
  readonly empty?: string;
  /** Whether the first cell says what a row is. It then needs no label on narrow screens. */
  readonly hasTitles?: boolean;
}

const NARROW = [
  '@max-[62rem]:block @max-[62rem]:[&_:is(caption,tbody,td)]:block',
  '@max-[62rem]:[&_thead]:absolute @max-[62rem]:[&_thead]:right-[100vw]',
  '@max-[62rem]:[&_tr]:flex @max-[62rem]:[&_tr]:flex-wrap @max-[62rem]:[&_tr]:gap-x-6 @max-[62rem]:[&_tr]:gap-y-2 @max-[62rem]:[&_tr]:border-b @max-[62rem]:[&_tr]:py-3',
  '@max-[62rem]:[&_td]:min-w-24 @max-[62rem]:[&_td]:max-w-full @max-[62rem]:[&_td]:border-0 @max-[62rem]:[&_td]:p-0 @max-[62rem]:[&_td:empty]:hidden',
  '@max-[62rem]:[&_td]:before:block @max-[62rem]:[&_td]:before:text-caption @max-[62rem]:[&_td]:before:text-ink2 @max-[62rem]:[&_td]:before:content-[attr(data-label)]',
].join(' ');

const TITLES =
  '@max-[62rem]:[&_td:first-child]:basis-full @max-[62rem]:[&_td:first-child]:before:content-none';

/**
 * A responsive table: on narrow screens each row becomes a block with the heads as labels. A column is as wide as its
 * longest word, up to a limit. Only longer words break.
 */
export function Table({ caption, heads, rows, empty, hasTitles = false }: TableProps) {
  if (rows.length === 0) return empty && <p>{empty}</p>;
  return (
    <table
      className={`[&_:is(th,td)]:wrap-break-word mb-5 w-full border-collapse tabular-nums [&_:is(th,td)]:max-w-76 [&_:is(th,td)]:border-b [&_:is(th,td)]:py-3 [&_:is(th,td)]:pr-3 [&_:is(th,td)]:text-left [&_:is(th,td)]:align-top [&_:is(tr,th,td)]:border-line ${NARROW} ${hasTitles ? TITLES : ''}`}
      role="table"
    >
      <caption className="pb-2 text-left text-ink2">{caption}</caption>
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
}

interface NumberCellProps {
  readonly name: string;
  readonly value: string;
  /** For screen readers: the row has no label. */
  readonly label: string;
  /** Of pieces; else an amount. */
  readonly isWhole?: boolean;
}

/** The field of a row for a number. It is sent as it was typed. */
export const NumberCell = ({ name, value, label, isWhole = false }: NumberCellProps) => (
  <input
    className="control max-w-28"
    name={name}
    inputMode={isWhole ? 'numeric' : 'decimal'}
    autoComplete="off"
    defaultValue={value}
    aria-label={label}
  />
);

const TIME = new Intl.DateTimeFormat('en-IN', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Asia/Kolkata',
});

/** A time in India, such as '5 Jan 2026, 3:30 pm'. @param at ms since 1970 */
export const Time = ({ at }: { readonly at: number }) => (
  <time className="whitespace-nowrap" dateTime={new Date(at).toISOString()}>
    {TIME.format(at)}
  </time>
);

/** When a row was made and, if it was, last changed. In ms since 1970. */
export const Times = ({ createdAt, changedAt }: Record<'createdAt' | 'changedAt', number>) => (
  <div>
    <Time at={createdAt} />
    {changedAt !== createdAt && (
      <>
        <br />
        changed <Time at={changedAt} />
      </>
    )}
  </div>
);

/** Links to other pages of a list. */
export const Pages = ({ children }: { readonly children: ReactNode }) => (
  <nav className="mb-4 flex flex-wrap items-center gap-3" aria-label="Pages">
    {children}
  </nav>
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
    <Pages>
      {page > 1 && (
        <LinkButton href={path(page - 1)} rel="prev">
          Previous
        </LinkButton>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <LinkButton href={path(page + 1)} rel="next">
          Next
        </LinkButton>
      )}
    </Pages>
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
    <Table
      caption="Both values"
      heads={['What', 'Your value', 'The value now']}
      rows={conflicts.map(({ label, yours, now }) => [label, yours || 'nothing', now || 'nothing'])}
    />
    <p>{again}</p>
  </Notice>
);

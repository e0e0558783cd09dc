import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import { takeMessage } from '#server/admin/change.ts';
import { Form, FormKeys, type FormProps } from '#server/admin/forms/Form.tsx';
import { type FormState, formStatus } from '#server/admin/forms/field.ts';
import type { AdminContext, Section, StaffMember } from '#server/admin/page.ts';
import { ADMIN, NOTIFICATIONS } from '#server/admin/paths.ts';
import { Allowed, Rights } from '#server/admin/rights.tsx';
import { ROLES } from '#server/admin/roles.ts';
import { htmlDocument } from '#server/http/documents.ts';
import { sheetPath } from './assets.tsx';
import { Button, LinkButton, Message } from './pieces.tsx';

export interface View {
  readonly title: string;
  readonly content: ReactNode;
  /** From 400, the title begins with 'Error: '. */
  readonly status?: ContentfulStatusCode | undefined;
  readonly head?: ReactNode;
}

/** The section of a page is the one with the longest path: returns are below orders. */
const openSection = (sections: readonly Section[], path: string): Section | undefined =>
  sections
    .filter((section) => `${path}/`.startsWith(`${ADMIN}${section.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];

/** Beside the page on wide screens. On narrow ones a row that scrolls sideways, in which the open link stays visible. */
function Navigation({ context, staff }: { readonly context: AdminContext; readonly staff: StaffMember }) {
  const sections = context.get('sections');
  const open = openSection(sections, context.req.path);
  return (
    <>
      <nav
        className="min-w-0 flex-1 [mask-image:linear-gradient(to_left,transparent,#000_24px)] lg:[mask-image:none]"
        aria-label="Admin"
      >
        <ul className="m-0 flex list-none gap-1 overflow-x-auto p-0 pr-6 [scrollbar-width:none] *:flex-none lg:block lg:overflow-visible lg:pr-0">
          {sections.map((section) => (
            <Allowed key={section.path} to={ADMIN + section.path}>
              <li className={section.beginsGroup ? 'lg:mt-4' : undefined}>
                <a href={ADMIN + section.path} aria-current={section === open ? 'page' : undefined}>
                  {section.name}
                </a>
              </li>
            </Allowed>
          ))}
        </ul>
      </nav>
      <div className="flex min-w-0 basis-full items-center gap-x-2 gap-y-1 text-caption text-ink2 lg:basis-auto lg:flex-wrap">
        <span className="flex-1 truncate lg:basis-full lg:whitespace-normal lg:px-3">
          {staff.name}, {ROLES[staff.role].label}
        </span>
        <a href={NOTIFICATIONS}>Emails to you</a>
        <a href={`${ADMIN}/password`}>Password</a>
        <form method="post" action={`${ADMIN}/sign-out`}>
          <Button variant="quiet">Sign out</Button>
        </form>
      </div>
    </>
  );
}

export async function showPage(
  context: AdminContext,
  { title, content, status = 200, head }: View,
): Promise<Response> {
  const staff = context.get('staff');
  const message = takeMessage(context);
  const sheet = await sheetPath();
  const page = (
    <html className="scroll-pb-24" lang="en-IN">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${status >= 400 ? 'Error: ' : ''}${title} · Admin`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={sheet} />
        {head}
      </head>
      <body className={staff && 'lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]'}>
        <a
          className="absolute left-[-100vw] bg-canvas px-4 py-3 focus:top-2 focus:left-2 focus:z-1"
          href="#main"
        >
          Skip to content
        </a>
        <header
          className={`flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b bg-mist px-4 py-2 md:px-8 print:hidden [&_a[aria-current]]:bg-leaf-tint [&_a[aria-current]]:font-semibold [&_a[aria-current]]:[scroll-initial-target:nearest] [&_a]:inline-flex [&_a]:min-h-11 [&_a]:items-center [&_a]:rounded-full [&_a]:px-3 [&_a]:text-ink [&_a]:no-underline [&_a]:hover:underline lg:[&_a]:flex lg:[&_a]:min-h-9 ${
            staff
              ? 'lg:sticky lg:top-0 lg:h-svh lg:flex-col lg:flex-nowrap lg:items-stretch lg:overflow-y-auto lg:border-r lg:border-b-0 lg:px-3 lg:py-4'
              : ''
          }`}
        >
          <a className="font-bold text-title tracking-[-0.028em]" href={ADMIN}>
            Admin
          </a>
          {staff && (
            <Rights value={context.get('mayOpen')}>
              <Navigation context={context} staff={staff} />
            </Rights>
          )}
        </header>
        <main
          className="@container mx-auto max-w-310 px-4 pt-5 pb-14 md:px-8 lg:mx-0 lg:px-6"
          id="main"
          tabIndex={-1}
        >
          {message && <Message role="status">{message}</Message>}
          <h1>{title}</h1>
          <Rights value={context.get('mayOpen')}>
            <FormKeys value={context.get('formKey')}>{content}</FormKeys>
          </Rights>
        </main>
      </body>
    </html>
  );
  return context.html(htmlDocument(page), status);
}

export interface FormView extends FormProps, Pick<FormState, 'notice'> {
  readonly title: string;
  readonly head?: ReactNode;
  /** Above the form. */
  readonly intro?: ReactNode;
  /** Below the form. */
  readonly below?: ReactNode;
  /** Where the link beside the button leads. */
  readonly back?: string;
  /** By default it follows from `notice` and `errors`. */
  readonly status?: ContentfulStatusCode;
}

/** A page with one form. It is also the answer to a form that was refused, with its values and errors. */
export const showForm = (
  context: AdminContext,
  { title, head, intro, notice, below, back, status, ...form }: FormView,
) =>
  showPage(context, {
    title,
    head,
    content: (
      <>
        {notice}
        {intro}
        <Form
          account={context.get('staff')?.email}
          {...form}
          more={
            form.more ??
            (back && (
              <LinkButton href={back}>{form.variant === 'danger' ? 'Change nothing' : 'Back'}</LinkButton>
            ))
          }
        />
        {below}
      </>
    ),
    status: status ?? formStatus({ notice, errors: form.errors }),
  });

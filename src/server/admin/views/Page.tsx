import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import { takeMessage } from '#server/admin/change.ts';
import { FormKeys } from '#server/admin/forms/Form.tsx';
import type { AdminContext, Section, StaffMember } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { mayOpen, ROLES } from '#server/admin/roles.ts';
import { htmlDocument } from '#server/http/html-document.ts';
import { type AssetFile, assetPath } from './assets.ts';
import { Button } from './pieces.tsx';

export interface View {
  readonly title: string;
  readonly content: ReactNode;
  /** From 400, the title begins with 'Error: '. */
  readonly status?: ContentfulStatusCode | undefined;
  readonly head?: ReactNode;
  /** A style sheet after `admin.css`. */
  readonly styles?: AssetFile;
}

interface NavigationProps {
  readonly staff: StaffMember;
  readonly sections: readonly Section[];
  /** The path of the open page. */
  readonly path: string;
}

const isOpen = (section: Section, path: string): boolean =>
  path === ADMIN + section.path || path.startsWith(`${ADMIN}${section.path}/`);

const Navigation = ({ staff, sections, path }: NavigationProps) => (
  <>
    <nav aria-label="Admin">
      <ul>
        {sections
          .filter(({ access }) => mayOpen(access, staff.role))
          .map((section) => (
            <li key={section.path}>
              <a href={ADMIN + section.path} aria-current={isOpen(section, path) ? 'page' : undefined}>
                {section.name}
              </a>
            </li>
          ))}
      </ul>
    </nav>
    <div className="who">
      <span>
        {staff.name}, {ROLES[staff.role].label}
      </span>
      <a href={`${ADMIN}/password`}>Password</a>
      <form method="post" action={`${ADMIN}/sign-out`}>
        <Button look="quiet">Sign out</Button>
      </form>
    </div>
  </>
);

export function showPage(
  context: AdminContext,
  { title, content, status = 200, styles, head }: View,
): Response {
  const staff = context.get('staff');
  const message = takeMessage(context);
  const page = (
    <html lang="en-IN">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${status >= 400 ? 'Error: ' : ''}${title} · Admin`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assetPath('admin.css')} />
        {head}
        {styles && <link rel="stylesheet" href={assetPath(styles)} />}
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <header>
          <a className="brand" href={ADMIN}>
            Admin
          </a>
          {staff && <Navigation staff={staff} sections={context.get('sections')} path={context.req.path} />}
        </header>
        <main id="main" tabIndex={-1}>
          {message && (
            <p className="message" role="status">
              {message}
            </p>
          )}
          <h1>{title}</h1>
          <FormKeys value={context.get('formKey')}>{content}</FormKeys>
        </main>
      </body>
    </html>
  );
  return context.html(htmlDocument(page), status);
}

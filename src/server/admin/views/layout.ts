import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { takeMessage } from '#server/admin/change.ts';
import type { AdminContext, Section, StaffMember } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { mayOpen, ROLES } from '#server/admin/roles.ts';
import { type AssetFile, assetPath } from './assets.ts';
import type { Content, Html } from './html.ts';

export interface View {
  readonly title: string;
  readonly content: Content;
  /** From 400, the title begins with 'Error: '. */
  readonly status?: ContentfulStatusCode | undefined;
  readonly head?: Content;
  /** A style sheet after `admin.css`. */
  readonly styles?: AssetFile;
}

const isOpen = (section: Section, path: string): boolean =>
  path === ADMIN + section.path || path.startsWith(`${ADMIN}${section.path}/`);

function navigation(context: AdminContext, staff: StaffMember): Html {
  const links = context
    .get('sections')
    .filter(({ access }) => mayOpen(access, staff.role))
    .map((section) => {
      const current = isOpen(section, context.req.path) ? html` aria-current="page"` : '';
      return html`<li><a href="${ADMIN}${section.path}"${current}>${section.name}</a></li>`;
    });
  return html`<nav aria-label="Admin"><ul>${links}</ul></nav>
<div class="who"><span>${staff.name}, ${ROLES[staff.role].label}</span>
<a href="${ADMIN}/password">Password</a>
<form method="post" action="${ADMIN}/sign-out"><button class="quiet">Sign out</button></form></div>`;
}

export function showPage(
  context: AdminContext,
  { title, content, status = 200, styles, head = '' }: View,
): Response | Promise<Response> {
  const staff = context.get('staff');
  const message = takeMessage(context);
  const page = html`<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${status >= 400 ? 'Error: ' : ''}${title} · Admin</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath('admin.css')}">
${head}
${styles ? html`<link rel="stylesheet" href="${assetPath(styles)}">` : ''}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="brand" href="${ADMIN}">Admin</a>${staff ? navigation(context, staff) : ''}</header>
<main id="main" tabindex="-1">
${message ? html`<p class="message" role="status">${message}</p>` : ''}
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return context.html(page, status);
}

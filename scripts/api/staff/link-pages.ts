import { html } from 'hono/html';
import { goOn } from '#scripts/api/office/change.ts';
import { recordChange } from '#scripts/api/office/change-log.ts';
import { drawForm, type FormView } from '#scripts/api/office/forms/draw.ts';
import { parseForm } from '#scripts/api/office/forms/parse.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { OFFICE } from '#scripts/api/office/paths.ts';
import { assetPath } from '#scripts/api/office/views/assets.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { LINK_TOKEN, linkForm } from './forms.ts';
import { findLink, LINK_MINUTES, takeLink } from './links.ts';
import { findFactor } from './second-factor.ts';
import { deviceOf, sendSession, storeSession } from './session.ts';
import { setPassword } from './stored-staff.ts';

const showUsed = (context: OfficeContext) =>
  showPage(context, {
    title: 'This link no longer works',
    content: html`<p>A link works once, for ${LINK_MINUTES} minutes. Ask an owner for a new one, or run <code>npm run staff -- link EMAIL</code>.</p>
<p><a href="${OFFICE}/sign-in">Sign in</a></p>`,
    status: 404,
  });

const LINK = `${OFFICE}/link`;

function tokenOf(context: OfficeContext): string {
  const token = context.get('form').get(LINK_TOKEN);
  return typeof token === 'string' ? token : '';
}

/** @param token undefined where the page's script has to read it from the address */
function showLink(
  context: OfficeContext,
  shop: Shop,
  { token = '', ...state }: Pick<FormView, 'mistakes'> & { readonly token?: string } = {},
) {
  const content = html`<p>Choose a password; you are signed in with it at once.</p>
<noscript><p class="message">This page needs JavaScript.</p></noscript>
${drawForm(shop, {
  fields: linkForm.fields,
  action: LINK,
  submit: 'Choose this password',
  hidden: { [LINK_TOKEN]: token },
  ...state,
})}`;
  return showPage(context, {
    title: 'Choose a password',
    content,
    head: html`<script type="module" src="${assetPath('link.js')}"></script>`,
    status: state.mistakes ? 422 : 200,
  });
}

/** Passwords are hashed before the transaction, and only for a link that works, because that is slow. */
async function takePassword(context: OfficeContext, shop: Shop): Promise<Response> {
  const token = tokenOf(context);
  const link = await findLink(shop.db, shop.clock(), token);
  if (!link) return showUsed(context);
  const parsed = parseForm(linkForm, context.get('form'));
  if (!parsed.isGood) return showLink(context, shop, { ...parsed, token });
  const asker = { address: shop.clientAddress(context), email: link.email };
  const passwordHash = await shop.passwords.staff.hash(parsed.values.password, asker);
  const session = await shop.db.write(async (transaction) => {
    if (!(await takeLink(transaction, shop.clock(), token))) return undefined;
    await setPassword(transaction, link.staffId, passwordHash);
    await recordChange(transaction, { id: link.staffId, who: link.email }, shop.clock(), {
      action: 'chose a password',
      target: ['staff', link.email],
    });
    // A link replaces the password alone. The code of the second factor is still asked for.
    if (await findFactor(transaction, link.staffId)) return 'needs a code';
    return storeSession(transaction, shop, link.staffId, deviceOf(context, shop));
  });
  if (session === undefined) return showUsed(context);
  if (session === 'needs a code') return context.redirect(`${OFFICE}/sign-in`, 303);
  sendSession(context, shop, session);
  return goOn(context, shop, { to: OFFICE, message: 'Your password is set.' });
}

export const LINK_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/link', access: 'anyone', handle: (context, shop) => showLink(context, shop) },
  { method: 'POST', path: '/link', access: 'anyone', handle: takePassword },
];

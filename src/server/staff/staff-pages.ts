import { html } from 'hono/html';
import type { Transaction } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { change, NotDone } from '#server/admin/change.ts';
import { drawField, drawForm, type FormView, hiddenInputs } from '#server/admin/forms/draw.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import { type OfficeContext, type OfficePage, staffOf } from '#server/admin/page.ts';
import { OFFICE } from '#server/admin/paths.ts';
import { ROLES } from '#server/admin/roles.ts';
import { requireSeen, showing } from '#server/admin/seen.ts';
import type { Content } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { conflictNotice, table, time } from '#server/admin/views/pieces.ts';
import type { Shop } from '#server/services/shop.ts';
import { personForm, roleForm } from './forms.ts';
import { LINK_MINUTES, makeLink } from './one-time-tokens.ts';
import { findFactor, isRequired, setRequired, switchOff } from './second-factor.ts';
import { endSessions } from './session.ts';
import {
  addPerson,
  findPerson,
  isLastOwner,
  listStaff,
  lockPerson,
  type Person,
  removePerson,
  setRole,
} from './stored-staff.ts';

const PATH = `${OFFICE}/staff`;

async function showStaff(context: OfficeContext, shop: Shop) {
  const rows = (await listStaff(shop.db)).map((person) => [
    html`<a href="${PATH}/${person.id}">${person.name}</a>`,
    person.email,
    ROLES[person.role].label,
    person.passwordHash === null ? 'No password yet' : time(person.createdAt),
  ]);
  const required = await isRequired(shop.db);
  return showPage(context, {
    title: 'Staff',
    content: html`<p><a class="button" href="${PATH}/new">Add a person</a></p>
${table('Everyone who may sign in', ['Name', 'Email', 'Role', 'Since'], rows)}
<h2>Second factor</h2><p>${required ? 'Everybody needs one: whoever has none sets it up before anything else.' : 'Everybody may set one up under Password. You can require it of all.'}</p>
<form method="post" action="${PATH}/second-factor">${hiddenInputs(shop, { required: required ? 'no' : 'yes' })}
<button class="quiet">${required ? 'Require it no longer' : 'Require it of everybody'}</button></form>`,
  });
}

function showNew(context: OfficeContext, shop: Shop, state: Pick<FormView, 'typed' | 'mistakes'> = {}) {
  const { mistakes, typed = { role: 'packer' } } = state;
  const form = { fields: personForm.fields, action: PATH, submit: 'Add', typed, mistakes };
  return showPage(context, {
    title: 'Add a person',
    content: drawForm(shop, form),
    status: mistakes ? 422 : 200,
  });
}

/** The link is a secret, so it is shown once and stored nowhere. */
const showLink = (context: OfficeContext, name: string, link: string) =>
  showPage(context, {
    title: `A link for ${name}`,
    content: html`<p>Give ${name} this link. It opens a page to choose a password, once, within ${LINK_MINUTES} minutes. It is not shown again.</p>
<p class="secret">${link}</p><p><a href="${PATH}">Back to staff</a></p>`,
  });

async function add(context: OfficeContext, shop: Shop): Promise<Response> {
  const parsed = parseForm(personForm, context.get('form'));
  if (!parsed.isGood) return showNew(context, shop, parsed);
  const { name, email, role } = parsed.values;
  return change(context, shop, async (transaction, log) => {
    const id = shop.ids.user();
    if (!(await addPerson(transaction, { id, name, email, role, createdAt: shop.clock() }))) {
      const mistakes = new Map([['email', 'Somebody has this email already']]);
      throw new NotDone(() => showNew(context, shop, { typed: parsed.typed, mistakes }));
    }
    await log({ action: 'added', target: ['staff', email], to: { name, role } });
    const link = await makeLink(transaction, shop, shop.apiOrigin, id);
    const show = () => showLink(context, name, link);
    return { to: `${PATH}/${id}`, message: `${name} was added.`, show };
  });
}

const idOf = (context: OfficeContext): string => context.req.param('id') ?? '';

function refuseMissing(): never {
  throw new Refusal(404, 'There is no such person. Perhaps somebody removed them.');
}

async function personOf(context: OfficeContext, shop: Shop): Promise<Person> {
  return (await findPerson(shop.db, idOf(context))) ?? refuseMissing();
}

const partsOf = ({ role }: Person) => ({ Role: ROLES[role].label });

const drawFactor = (shop: Shop, { id, name }: Person) =>
  html`<h2>Second factor</h2><p>It is on. If ${name} has lost both phone and recovery codes, switch it off: the password is then enough.</p>
<details><summary>Switch it off for ${name}</summary><form method="post" action="${PATH}/${id}/second-factor">${hiddenInputs(shop)}
<button class="danger">Yes, switch it off</button></form></details>`;

async function drawPerson(context: OfficeContext, shop: Shop, person: Person, notice: Content = '') {
  const hasFactor = (await findFactor(shop.db, person.id)) !== undefined && staffOf(context).id !== person.id;
  const { id, name, email, role } = person;
  const action = `${PATH}/${id}`;
  const typed = { role };
  return html`${notice}<p>${email}</p>
<form class="stack" method="post" action="${action}/role">${hiddenInputs(shop, showing(partsOf(person)))}
${drawField('role', roleForm.fields.role, typed)}<div class="row"><button>Change the role</button></div></form>
<h2>A new link</h2><p>For somebody who has no password yet or has forgotten it. An earlier link stops working.</p>
<form method="post" action="${action}/link">${hiddenInputs(shop)}<button class="quiet">Make a link</button></form>
${hasFactor ? drawFactor(shop, person) : ''}
<h2>Remove</h2><p>${name} is signed out at once${staffOf(context).id === id ? ', which is you' : ''}. The log stays.</p>
<details><summary>Remove ${name}</summary><form method="post" action="${action}/remove">${hiddenInputs(shop, showing(partsOf(person)))}
<button class="danger">Yes, remove ${name}</button></form></details>`;
}

const showPerson = async (context: OfficeContext, shop: Shop, person: Person) =>
  showPage(context, { title: person.name, content: await drawPerson(context, shop, person) });

/** The person as stored, whose role must be the one that the form's page showed. */
async function lockSeen(
  context: OfficeContext,
  shop: Shop,
  transaction: Transaction,
  yours: string,
): Promise<Person> {
  const person = (await lockPerson(transaction, idOf(context))) ?? refuseMissing();
  requireSeen(context.get('form'), partsOf(person), { Role: yours }, async ({ conflicts }) => {
    const notice = conflictNotice(conflicts, 'Choose again below if it is still to be changed.');
    const content = await drawPerson(context, shop, person, notice);
    return showPage(context, { title: person.name, content, status: 409 });
  });
  return person;
}

const lastOwner = (): Refusal =>
  new Refusal(409, 'This is the last owner. Make somebody else an owner first.');

async function changeRole(context: OfficeContext, shop: Shop): Promise<Response> {
  const person = await personOf(context, shop);
  const parsed = parseForm(roleForm, context.get('form'));
  if (!parsed.isGood) throw new Refusal(422, 'There is no such role.');
  const { role } = parsed.values;
  const { id, name, email } = person;
  return change(context, shop, async (transaction, log) => {
    if (role !== 'owner' && (await isLastOwner(transaction, id))) throw lastOwner();
    const before = await lockSeen(context, shop, transaction, ROLES[role].label);
    // The same role would end the person's sessions for nothing.
    if (before.role === role) return { to: PATH, message: `${name} is ${ROLES[role].label} already.` };
    await setRole(transaction, id, role);
    await log({
      action: 'changed the role',
      target: ['staff', email],
      from: { role: before.role },
      to: { role },
    });
    return { to: PATH, message: `${name} is now ${ROLES[role].label}.` };
  });
}

async function newLink(context: OfficeContext, shop: Shop): Promise<Response> {
  const { id, name, email } = await personOf(context, shop);
  return change(context, shop, async (transaction, log) => {
    const link = await makeLink(transaction, shop, shop.apiOrigin, id);
    await log({ action: 'made a link', target: ['staff', email] });
    const show = () => showLink(context, name, link);
    return { to: `${PATH}/${id}`, message: 'A link was made. It was shown once.', show };
  });
}

async function remove(context: OfficeContext, shop: Shop): Promise<Response> {
  const id = idOf(context);
  return change(context, shop, async (transaction, log) => {
    if (await isLastOwner(transaction, id)) throw lastOwner();
    const person = await lockSeen(context, shop, transaction, 'Removed');
    const { name, email, role } = person;
    await removePerson(transaction, id);
    await log({ action: 'removed', target: ['staff', email], from: { name, role } });
    return { to: PATH, message: `${name} was removed.` };
  });
}

/** Lets in somebody who has lost phone and recovery codes. */
async function removeFactor(context: OfficeContext, shop: Shop): Promise<Response> {
  const { id, name, email } = await personOf(context, shop);
  if (id === staffOf(context).id)
    throw new Refusal(409, 'Switch off your own with its code, under Password.');
  return change(context, shop, async (transaction, log) => {
    const done = { to: `${PATH}/${id}`, message: `${name} has no second factor.` };
    if (!(await switchOff(transaction, id))) return done;
    await endSessions(transaction, id);
    await log({ action: 'switched off the second factor', target: ['staff', email] });
    return done;
  });
}

async function requireFactor(context: OfficeContext, shop: Shop): Promise<Response> {
  const required = context.get('form').get('required') === 'yes';
  return change(context, shop, async (transaction, log) => {
    await setRequired(transaction, required);
    await log({
      action: 'changed who needs a second factor',
      target: ['staff', 'everybody'],
      to: { required },
    });
    return {
      to: PATH,
      message: required ? 'Everybody needs a second factor.' : 'Nobody needs one any longer.',
    };
  });
}

const access = 'people';

export const STAFF_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/staff', access, handle: showStaff },
  { method: 'POST', path: '/staff', access, handle: add },
  { method: 'POST', path: '/staff/second-factor', access, handle: requireFactor },
  { method: 'GET', path: '/staff/new', access, handle: (context, shop) => showNew(context, shop) },
  {
    method: 'GET',
    path: '/staff/:id',
    access,
    handle: async (context, shop) => showPerson(context, shop, await personOf(context, shop)),
  },
  { method: 'POST', path: '/staff/:id/role', access, handle: changeRole },
  { method: 'POST', path: '/staff/:id/link', access, handle: newLink },
  { method: 'POST', path: '/staff/:id/second-factor', access, handle: removeFactor },
  { method: 'POST', path: '/staff/:id/remove', access, handle: remove },
];

import type { ReactNode } from 'react';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { formVersion, requireFormVersion } from '#server/admin/form-version.ts';
import { FormField, PostForm } from '#server/admin/forms/Form.tsx';
import type { FormState } from '#server/admin/forms/field.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { ROLES } from '#server/admin/roles.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { Button, ConflictNotice, LinkButton, Row, Table, Time } from '#server/admin/views/pieces.tsx';
import type { Transaction } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { roleForm, staffMemberForm } from './forms.ts';
import { findFactor, isRequired, setRequired } from './second-factor.ts';
import { removeFactor } from './session.ts';
import {
  findStaffMember,
  inviteStaffMember,
  isLastOwner,
  listStaff,
  lockStaffMember,
  makePasswordLink,
  PASSWORD_LINK,
  removeStaffMember,
  type StoredStaffMember,
  setRole,
} from './stored-staff.ts';

const PATH = `${ADMIN}/staff`;

async function showStaff(context: AdminContext, services: Services) {
  const rows = (await listStaff(services.db)).map((member) => [
    <a href={`${PATH}/${member.id}`}>{member.name}</a>,
    member.email,
    ROLES[member.role].label,
    member.passwordHash === null ? 'No password yet' : <Time at={member.createdAt} />,
  ]);
  const required = await isRequired(services.db);
  return showPage(context, {
    title: 'Staff',
    content: (
      <>
        <p>
          <LinkButton href={`${PATH}/new`}>Add a staff member</LinkButton>
        </p>
        <Table caption="Everyone who may sign in" heads={['Name', 'Email', 'Role', 'Since']} rows={rows} />
        <h2>Second factor</h2>
        <p>
          {required
            ? 'Every staff member must set one up before anything else.'
            : 'Staff members can set one up under Password. You can require it.'}
        </p>
        <PostForm action={`${PATH}/second-factor`} hidden={{ required: required ? 'no' : 'yes' }}>
          <Button look="quiet">{required ? 'Do not require it' : 'Require it of all staff members'}</Button>
        </PostForm>
      </>
    ),
  });
}

const showNew = (context: AdminContext, { typed = { role: 'packer' }, mistakes }: FormState = {}) =>
  showForm(context, {
    title: 'Add a staff member',
    fields: staffMemberForm.fields,
    action: PATH,
    submit: 'Add',
    typed,
    mistakes,
  });

/** The link is a secret: it is shown once, and only its hash is stored. */
const showLink = (context: AdminContext, name: string, link: string) =>
  showPage(context, {
    title: `A link for ${name}`,
    content: (
      <>
        <p>
          Give {name} this link. It opens a page to choose a password, once, within {PASSWORD_LINK.minutes}{' '}
          minutes. It is not shown again.
        </p>
        <p className="select-all rounded-input bg-mist p-3 font-[ui-monospace,monospace]">{link}</p>
        <p>
          <a href={PATH}>Back to staff</a>
        </p>
      </>
    ),
  });

async function add(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(staffMemberForm, context.get('form'));
  if (!parsed.isValid) return showNew(context, parsed);
  const { name } = parsed.values;
  return change(context, services, async (transaction, log) => {
    const invited = await inviteStaffMember(transaction, log, services, parsed.values);
    if (!invited) {
      const mistakes = new Map([['email', 'Another staff member has this email']]);
      throw new ChangeAborted(() => showNew(context, { typed: parsed.typed, mistakes }));
    }
    const { id, link } = invited;
    return { to: `${PATH}/${id}`, message: `${name} was added.`, show: () => showLink(context, name, link) };
  });
}

const idOf = (context: AdminContext): string => context.req.param('id') ?? '';

function refuseMissing(): never {
  throw new Refusal(404, 'There is no such staff member. They may have been removed.');
}

async function staffMemberOf(context: AdminContext, services: Services): Promise<StoredStaffMember> {
  return (await findStaffMember(services.db, idOf(context))) ?? refuseMissing();
}

const partsOf = ({ role }: StoredStaffMember) => ({ Role: ROLES[role].label });

const renderFactor = ({ id, name }: StoredStaffMember) => (
  <>
    <h2>Second factor</h2>
    <p>
      It is on. If {name} has lost both phone and recovery codes, switch it off: the password is then enough.
    </p>
    <details>
      <summary>Switch it off for {name}</summary>
      <PostForm action={`${PATH}/${id}/second-factor`}>
        <Button look="danger">Yes, switch it off</Button>
      </PostForm>
    </details>
  </>
);

async function renderStaffMember(
  context: AdminContext,
  services: Services,
  member: StoredStaffMember,
  notice: ReactNode = '',
) {
  const hasFactor =
    (await findFactor(services.db, member.id)) !== undefined && staffOf(context).id !== member.id;
  const { id, name, email, role } = member;
  const action = `${PATH}/${id}`;
  const typed = { role };
  return (
    <>
      {notice}
      <p>{email}</p>
      <PostForm
        className="grid max-w-160 gap-5"
        action={`${action}/role`}
        hidden={formVersion(partsOf(member))}
      >
        <FormField name="role" field={roleForm.fields.role} typed={typed} />
        <Row>
          <Button>Change the role</Button>
        </Row>
      </PostForm>
      <h2>A new link</h2>
      <p>For a staff member without a password, or who has forgotten it. An earlier link stops working.</p>
      <PostForm action={`${action}/link`}>
        <Button look="quiet">Make a link</Button>
      </PostForm>
      {hasFactor && renderFactor(member)}
      <h2>Remove</h2>
      <p>
        {name} is signed out at once{staffOf(context).id === id && ', which is you'}. The log stays.
      </p>
      <details>
        <summary>Remove {name}</summary>
        <PostForm action={`${action}/remove`} hidden={formVersion(partsOf(member))}>
          <Button look="danger">Yes, remove {name}</Button>
        </PostForm>
      </details>
    </>
  );
}

const showStaffMember = async (context: AdminContext, services: Services, member: StoredStaffMember) =>
  showPage(context, { title: member.name, content: await renderStaffMember(context, services, member) });

/** Locks the staff member. Detects an edit conflict of the role. @throws ChangeAborted, Refusal 404 */
async function lockAtVersion(
  context: AdminContext,
  services: Services,
  transaction: Transaction,
  yours: string,
): Promise<StoredStaffMember> {
  const member = (await lockStaffMember(transaction, idOf(context))) ?? refuseMissing();
  requireFormVersion(context.get('form'), partsOf(member), { Role: yours }, async ({ conflicts }) => {
    const notice = (
      <ConflictNotice conflicts={conflicts} again="Choose again below if it is still to be changed." />
    );
    const content = await renderStaffMember(context, services, member, notice);
    return showPage(context, { title: member.name, content, status: 409 });
  });
  return member;
}

const lastOwner = (): Refusal =>
  new Refusal(409, 'This is the last owner. Make another staff member an owner first.');

async function changeRole(context: AdminContext, services: Services): Promise<Response> {
  const member = await staffMemberOf(context, services);
  const parsed = parseForm(roleForm, context.get('form'));
  if (!parsed.isValid) throw new Refusal(422, 'There is no such role.');
  const { role } = parsed.values;
  const { id, name, email } = member;
  return change(context, services, async (transaction, log) => {
    if (role !== 'owner' && (await isLastOwner(transaction, id))) throw lastOwner();
    const before = await lockAtVersion(context, services, transaction, ROLES[role].label);
    // Setting the same role would end the sessions for nothing.
    if (before.role === role) return { to: PATH, message: `${name} is already ${ROLES[role].label}.` };
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

async function newLink(context: AdminContext, services: Services): Promise<Response> {
  const member = await staffMemberOf(context, services);
  return change(context, services, async (transaction, log) => {
    const link = await makePasswordLink(transaction, log, services, member);
    const show = () => showLink(context, member.name, link);
    return { to: `${PATH}/${member.id}`, message: 'A link was made. It was shown once.', show };
  });
}

async function remove(context: AdminContext, services: Services): Promise<Response> {
  const id = idOf(context);
  return change(context, services, async (transaction, log) => {
    if (await isLastOwner(transaction, id)) throw lastOwner();
    const member = await lockAtVersion(context, services, transaction, 'Removed');
    const { name, email, role } = member;
    await removeStaffMember(transaction, id);
    await log({ action: 'removed', target: ['staff', email], from: { name, role } });
    return { to: PATH, message: `${name} was removed.` };
  });
}

/** For a staff member who has lost phone and recovery codes. */
async function switchOffFor(context: AdminContext, services: Services): Promise<Response> {
  const member = await staffMemberOf(context, services);
  const { id, name } = member;
  if (id === staffOf(context).id)
    throw new Refusal(409, 'Switch off your own with its code, under Password.');
  return change(context, services, async (transaction, log) => {
    await removeFactor(transaction, log, member);
    return { to: `${PATH}/${id}`, message: `${name} has no second factor.` };
  });
}

async function requireFactor(context: AdminContext, services: Services): Promise<Response> {
  const required = context.get('form').get('required') === 'yes';
  return change(context, services, async (transaction, log) => {
    await setRequired(transaction, required);
    await log({
      action: 'changed who needs a second factor',
      target: ['staff', 'all'],
      to: { required },
    });
    return {
      to: PATH,
      message: required
        ? 'Every staff member needs a second factor.'
        : 'The second factor is no longer required.',
    };
  });
}

const access = 'staffAccounts';

export const STAFF_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/staff', access, handle: showStaff },
  { method: 'POST', path: '/staff', access, handle: add },
  { method: 'POST', path: '/staff/second-factor', access, handle: requireFactor },
  { method: 'GET', path: '/staff/new', access: 'staffAccounts.write', handle: (context) => showNew(context) },
  {
    method: 'GET',
    path: '/staff/:id',
    access,
    handle: async (context, services) =>
      showStaffMember(context, services, await staffMemberOf(context, services)),
  },
  { method: 'POST', path: '/staff/:id/role', access, handle: changeRole },
  { method: 'POST', path: '/staff/:id/link', access, handle: newLink },
  { method: 'POST', path: '/staff/:id/second-factor', access, handle: switchOffFor },
  { method: 'POST', path: '/staff/:id/remove', access, handle: remove },
];

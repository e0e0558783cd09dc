import { ChangeAborted, type Done } from '#server/admin/change.ts';
import type { RecordChange } from '#server/admin/change-log.ts';
import { formVersion, requireUnchanged } from '#server/admin/form-version.ts';
import { ButtonForm, DangerForm, Form } from '#server/admin/forms/Form.tsx';
import type { FormState } from '#server/admin/forms/field.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { ROLES } from '#server/admin/roles.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { LinkButton, Secret, Table, Time } from '#server/admin/views/pieces.tsx';
import type { Transaction } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { changeAccess } from './access-changes.ts';
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
          <LinkButton isMain href={`${PATH}/new`}>
            Add a staff member
          </LinkButton>
        </p>
        <Table caption="Everyone who may sign in" heads={['Name', 'Email', 'Role', 'Since']} rows={rows} />
        <h2>Second factor</h2>
        <p>
          {required
            ? 'Every staff member must set one up before anything else.'
            : 'Staff members can set one up under Password. You can require it.'}
        </p>
        <ButtonForm action={`${PATH}/second-factor`} hidden={{ required: required ? 'no' : 'yes' }}>
          {required ? 'Do not require it' : 'Require it of all staff members'}
        </ButtonForm>
      </>
    ),
  });
}

const showNew = (context: AdminContext, { values = { role: 'packer' }, errors }: FormState = {}) =>
  showForm(context, {
    title: 'Add a staff member',
    fields: staffMemberForm.fields,
    action: PATH,
    submit: 'Add',
    values,
    errors,
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
        <Secret>{link}</Secret>
        <p>
          <a href={PATH}>Back to staff</a>
        </p>
      </>
    ),
  });

async function add(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(staffMemberForm, context.get('form'));
  if (!parsed.isValid) return showNew(context, parsed);
  const { name } = parsed.output;
  return changeAccess(context, services, async (transaction, log) => {
    const invited = await inviteStaffMember(transaction, log, services, parsed.output);
    if (!invited) {
      const errors = new Map([['email', 'Another staff member has this email']]);
      throw new ChangeAborted(() => showNew(context, { values: parsed.values, errors }));
    }
    const { id, link } = invited;
    return { to: `${PATH}/${id}`, message: `${name} was added.`, show: () => showLink(context, name, link) };
  });
}

const idOf = (context: AdminContext): string => context.req.param('id') ?? '';

function refuseMissing(): never {
  throw new Refusal(404, 'There is no such staff member. They may have been removed.');
}

const partsOf = ({ role }: StoredStaffMember) => ({ Role: ROLES[role].label });

async function showStaffMember(context: AdminContext, services: Services) {
  const member = (await findStaffMember(services.db, idOf(context))) ?? refuseMissing();
  const { id, name, email, role } = member;
  const isSelf = staffOf(context).id === id;
  const hasFactor = (await findFactor(services.db, id)) !== undefined;
  const action = `${PATH}/${id}`;
  const version = formVersion(partsOf(member));
  return showPage(context, {
    title: name,
    content: (
      <>
        <p>{email}</p>
        <Form
          fields={roleForm.fields}
          values={{ role }}
          action={`${action}/role`}
          submit="Change the role"
          hidden={version}
        />
        <h2>A new link</h2>
        <p>For a staff member without a password, or who has forgotten it. An earlier link stops working.</p>
        <ButtonForm action={`${action}/link`}>Make a link</ButtonForm>
        {hasFactor && !isSelf && (
          <>
            <h2>Second factor</h2>
            <p>
              It is on. If {name} has lost both phone and recovery codes, switch it off: the password is then
              enough.
            </p>
            <DangerForm action={`${action}/second-factor`} summary={`Switch it off for ${name}`}>
              Yes, switch it off
            </DangerForm>
          </>
        )}
        <h2>Remove</h2>
        <p>
          {name} is signed out at once{isSelf && ', which is you'}. The log stays.
        </p>
        <DangerForm action={`${action}/remove`} hidden={version} summary={`Remove ${name}`}>
          Yes, remove {name}
        </DangerForm>
      </>
    ),
  });
}

type MemberChange = (
  transaction: Transaction,
  log: RecordChange,
  member: StoredStaffMember & { readonly isLastOwner: boolean },
) => Promise<Done>;

/** Changes the staff member of the page under a row lock. @throws Refusal 404 */
const changeMember = (context: AdminContext, services: Services, work: MemberChange) =>
  changeAccess(context, services, async (transaction, log) => {
    const id = idOf(context);
    // Locks all owners first, so that concurrent changes lock them in the same order.
    const isLast = await isLastOwner(transaction, id);
    const member = (await lockStaffMember(transaction, id)) ?? refuseMissing();
    return work(transaction, log, { ...member, isLastOwner: isLast });
  });

const lastOwner = (): Refusal =>
  new Refusal(409, 'This is the last owner. Make another staff member an owner first.');

function changeRole(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const parsed = parseForm(roleForm, form);
  if (!parsed.isValid) throw new Refusal(422, 'There is no such role.');
  const { role } = parsed.output;
  return changeMember(context, services, async (transaction, log, member) => {
    const { id, name, email } = member;
    if (role !== 'owner' && member.isLastOwner) throw lastOwner();
    requireUnchanged(form, partsOf(member));
    // Setting the same role would end the sessions for nothing.
    if (member.role === role) return { to: PATH, message: `${name} is already ${ROLES[role].label}.` };
    await setRole(transaction, id, role);
    await log({
      action: 'changed the role',
      target: ['staff', email],
      from: { role: member.role },
      to: { role },
    });
    return { to: PATH, message: `${name} is now ${ROLES[role].label}.` };
  });
}

const newLink = (context: AdminContext, services: Services): Promise<Response> =>
  changeMember(context, services, async (transaction, log, member) => {
    const link = await makePasswordLink(transaction, log, services, member);
    const show = () => showLink(context, member.name, link);
    return { to: `${PATH}/${member.id}`, message: 'A link was made. It was shown once.', show };
  });

const remove = (context: AdminContext, services: Services): Promise<Response> =>
  changeMember(context, services, async (transaction, log, member) => {
    if (member.isLastOwner) throw lastOwner();
    requireUnchanged(context.get('form'), partsOf(member));
    const { id, name, email, role } = member;
    await removeStaffMember(transaction, id);
    await log({ action: 'removed', target: ['staff', email], from: { name, role } });
    return { to: PATH, message: `${name} was removed.` };
  });

/** For a staff member who has lost phone and recovery codes. */
function switchOffFor(context: AdminContext, services: Services): Promise<Response> {
  if (idOf(context) === staffOf(context).id)
    throw new Refusal(409, 'Switch off your own with its code, under Password.');
  return changeMember(context, services, async (transaction, log, member) => {
    await removeFactor(transaction, log, member);
    return { to: `${PATH}/${member.id}`, message: `${member.name} has no second factor.` };
  });
}

async function requireFactor(context: AdminContext, services: Services): Promise<Response> {
  const required = context.get('form').get('required') === 'yes';
  return changeAccess(context, services, async (transaction, log) => {
    await setRequired(transaction, required);
    await log({ action: 'changed who needs a second factor', target: ['staff', 'all'], to: { required } });
    const message = required
      ? 'Every staff member needs a second factor.'
      : 'The second factor is no longer required.';
    return { to: PATH, message };
  });
}

const access = 'staffAccounts';
const asksPassword = true;

export const STAFF_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/staff', access, handle: showStaff },
  { method: 'POST', path: '/staff', access, asksPassword, handle: add },
  { method: 'POST', path: '/staff/second-factor', access, asksPassword, handle: requireFactor },
  { method: 'GET', path: '/staff/new', access: 'staffAccounts.write', handle: (context) => showNew(context) },
  { method: 'GET', path: '/staff/:id', access, handle: showStaffMember },
  { method: 'POST', path: '/staff/:id/role', access, asksPassword, handle: changeRole },
  { method: 'POST', path: '/staff/:id/link', access, asksPassword, handle: newLink },
  { method: 'POST', path: '/staff/:id/second-factor', access, asksPassword, handle: switchOffFor },
  { method: 'POST', path: '/staff/:id/remove', access, asksPassword, handle: remove },
];

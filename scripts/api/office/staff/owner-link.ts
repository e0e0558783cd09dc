import { makeLink } from './links.ts';
import { addStaff, type StaffTools } from './staff-command.ts';
import { listStaff } from './stored-staff.ts';

const DEMO_OWNER = { email: 'owner@example.com', name: 'Demo owner' };

/**
 * The way into an office that nobody can open yet: a link for the owner's password, and an owner for the demo where there is
 * no staff. Returns undefined where an owner has a password.
 */
export async function linkForOwner(tools: StaffTools): Promise<string | undefined> {
  const staff = await listStaff(tools.db);
  if (staff.length === 0) return addStaff(tools, DEMO_OWNER.email, 'owner', DEMO_OWNER.name);
  const owners = staff.filter(({ role }) => role === 'owner');
  const [owner] = owners;
  if (!owner || owners.some(({ passwordHash }) => passwordHash !== null)) return undefined;
  return tools.db.write((transaction) => makeLink(transaction, tools, tools.origin, owner.id));
}

import { change } from '#server/admin/change.ts';
import type { Field, FormState } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { NOTIFICATIONS } from '#server/admin/paths.ts';
import type { Role } from '#server/admin/roles.ts';
import { showForm } from '#server/admin/views/Page.tsx';
import { q } from '#server/db/query.ts';
import type { Services } from '#server/services/services.ts';
import { CHOICES, ChoicesSchema, choiceOf, findChoices, TOPICS, topicsOf } from './notifications.ts';

const OPTIONS = Object.entries(CHOICES).map(([value, label]) => ({ value, label }));

/** A field for each topic of a role. */
function formFor(role: Role) {
  const fields = topicsOf(role).map((topic): [string, Field] => {
    const { label, hint } = TOPICS[topic];
    return [topic, { label, control: 'select', options: OPTIONS, ...(hint && { hint }) }];
  });
  return defineForm(ChoicesSchema, Object.fromEntries(fields));
}

async function show(context: AdminContext, services: Services, state: FormState = {}): Promise<Response> {
  const { id, role, email } = staffOf(context);
  const stored = await findChoices(services.db, id);
  const chosen = topicsOf(role).map((topic) => [
    topic,
    choiceOf(stored ?? { role, notifications: {} }, topic),
  ]);
  return showForm(context, {
    title: 'Emails to you',
    intro: (
      <p>
        {services.settings.mail
          ? `Which emails you get at ${email}, and how soon. Each has everything that is new.`
          : 'This shop sends no emails, because SMTP_URL is not set.'}
      </p>
    ),
    fields: formFor(role).fields,
    action: NOTIFICATIONS,
    submit: 'Save',
    values: Object.fromEntries(chosen),
    ...state,
  });
}

async function store(context: AdminContext, services: Services): Promise<Response> {
  const { id, role, email } = staffOf(context);
  const parsed = parseForm(formFor(role), context.get('form'));
  if (!parsed.isValid) return show(context, services, parsed);
  return change(context, services, async (transaction, log) => {
    const before = (await findChoices(transaction, id))?.notifications ?? {};
    const notifications = JSON.stringify({ ...before, ...parsed.output });
    await transaction.run(q.updateTable('staff').set({ notifications }).where('id', '=', id));
    await log({ action: 'changed the emails', target: ['staff', email], to: parsed.output });
    return { to: NOTIFICATIONS, message: 'Saved.' };
  });
}

export const NOTIFICATION_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/notifications', access: 'staff', handle: show },
  { method: 'POST', path: '/notifications', access: 'staff', handle: store },
];

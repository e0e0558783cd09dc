import { onTestFinished } from 'vitest';
import { EMAILS } from '#server/app/emails.ts';
import { sendStaffNotifications } from '#server/app/staff-notifications.ts';
import { createMailer } from '#server/email/send.ts';
import { CONNECTIONS, openTransport } from '#server/email/transport.ts';
import type { Settings } from '#server/settings/settings.ts';
import { createMailServer } from '#tests/support/mail-server.ts';
import { adminApi } from './admin.ts';
import { PASSWORD } from './api.ts';

/** An API in memory that sends its emails to a real mail server when `sendDue` is called. */
export async function emailsApi(settings: Partial<Settings> = {}) {
  const server = createMailServer();
  await server.open();
  const mail = { via: 'smtp', url: server.address(), from: 'orders@shop.example' } as const;
  const api = await adminApi({ settings: { ...settings, mail } });
  const transport = openTransport(mail, api.services.log);
  let next = async (): Promise<unknown> => undefined;
  const emails = EMAILS.map((email) => ({
    ...email,
    async load(...given: Parameters<typeof email.load>) {
      const loaded = await email.load(...given);
      const work = next;
      next = async () => undefined;
      await work();
      return loaded;
    },
  }));
  const mailer = createMailer(api.services, emails, transport);
  /** Sends the emails that are due, over as many connections as a process has. */
  const sendDue = async () => {
    await sendStaffNotifications(api.services);
    await Promise.all(Array.from({ length: CONNECTIONS }, mailer.sendDue));
  };
  onTestFinished(async () => {
    mailer.close();
    await server.close();
  });
  /** Runs `work` while the next email is being written: after its data was read, before its link is made. */
  const whileWriting = (work: typeof next): void => {
    next = work;
  };
  const sentTo = (address: string) =>
    server.received.filter(({ recipients }) => recipients.includes(address));
  /** The secret of the newest link to a page that was sent to this address, or to any. */
  const secretOf = (page: string, address?: string): string =>
    (address === undefined ? server.received : sentTo(address))
      .flatMap(({ text }) => [...(text ?? '').matchAll(new RegExp(`/${page}#([\\w-]+)`, 'g'))])
      .at(-1)?.[1] ?? '';
  /** Returns the status of the response. */
  const signIn = async (email: string, password = PASSWORD): Promise<number> =>
    (await api.ask('/users/authorize', { json: { email, password } })).status;
  return { ...api, server, sendDue, mailer, whileWriting, sentTo, secretOf, signIn };
}

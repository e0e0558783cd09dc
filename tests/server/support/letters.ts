import { onTestFinished } from 'vitest';
import { LETTERS } from '#server/app/letters.ts';
import { CONNECTIONS, openCarrier } from '#server/email/carrier.ts';
import { createSending } from '#server/email/send.ts';
import type { Settings } from '#server/settings/settings.ts';
import { createMailServer } from '#tests/support/mail-server.ts';
import { PASSWORD } from './api.ts';
import { officeApi } from './office.ts';

/** An API in memory that sends its letters to a real mail server, a round at a time. */
export async function lettersApi(settings: Partial<Settings> = {}) {
  const server = createMailServer();
  await server.open();
  const mail = { via: 'smtp', url: server.address(), from: 'orders@shop.example' } as const;
  const api = await officeApi({ settings: { ...settings, mail } });
  const carrier = openCarrier(mail, api.shop.log);
  let next = async (): Promise<unknown> => undefined;
  const letters = LETTERS.map((letter) => ({
    ...letter,
    async open(...given: Parameters<typeof letter.open>) {
      const opened = await letter.open(...given);
      const work = next;
      next = async () => undefined;
      await work();
      return opened;
    },
  }));
  const sending = createSending(api.shop, letters, carrier);
  /** As many letters at once as a process sends. */
  const round = () => Promise.all(Array.from({ length: CONNECTIONS }, sending.work));
  onTestFinished(async () => {
    sending.close();
    await server.close();
  });
  /** Does this while the next letter is being written: its facts are read, and its link is not made yet. */
  const whileWriting = (work: typeof next): void => {
    next = work;
  };
  /** The secret of the newest link to a page that this address, or anybody, was sent. */
  const secretOf = (page: string, address?: string): string =>
    server.received
      .filter(({ recipients }) => address === undefined || recipients.includes(address))
      .flatMap(({ text }) => [...(text ?? '').matchAll(new RegExp(`/${page}#([\\w-]+)`, 'g'))])
      .at(-1)?.[1] ?? '';
  /** @returns the status of the answer */
  const signIn = async (email: string, password = PASSWORD): Promise<number> =>
    (await api.ask('/users/authorize', { json: { email, password } })).status;
  return { ...api, server, round, sending, whileWriting, secretOf, signIn };
}

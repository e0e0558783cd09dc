import { onTestFinished } from 'vitest';
import { LETTERS } from '#scripts/api/app/letters.ts';
import { CONNECTIONS, openCarrier } from '#scripts/api/letters/carrier.ts';
import type { Letter } from '#scripts/api/letters/letter.ts';
import { createSending } from '#scripts/api/letters/send.ts';
import type { Settings } from '#scripts/api/shop/settings.ts';
import { createMailServer } from '#tests/support/mail-server.ts';
import { officeApi } from './office.ts';

/** An API in memory that sends its letters to a real mail server, a round at a time. */
export async function lettersApi(settings: Partial<Settings> = {}, letters: readonly Letter[] = LETTERS) {
  const server = createMailServer();
  await server.open();
  const mail = { via: 'smtp', url: server.address(), from: 'orders@shop.example' } as const;
  const api = await officeApi({ settings: { ...settings, mail } });
  const carrier = openCarrier(mail, api.shop.log);
  const sending = createSending(api.shop, letters, carrier);
  /** As many letters at once as a process sends. */
  const round = () => Promise.all(Array.from({ length: CONNECTIONS }, sending.work));
  onTestFinished(async () => {
    sending.close();
    await server.close();
  });
  return { ...api, server, round, sending };
}

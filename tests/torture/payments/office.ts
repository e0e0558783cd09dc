import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#scripts/api/db/database.ts';
import { moveOrder } from '#scripts/api/orders/move-order.ts';
import { holdsMoney, storeRefund } from '#scripts/api/payments/refunds.ts';
import { findPayment } from '#scripts/api/payments/stored-payments.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { readSettings } from '#scripts/api/shop/settings.ts';

/** How often, and how far apart in ms, the office looks whether a payment has come. */
const LOOKS = 40;
const BETWEEN = 500;

/** What two windows of the office do to the database while its processes die. */
export function createOffice(windows: readonly Database[]) {
  let keys = 0;
  const counts = { 'refunds asked for by two windows at once': 0, 'of these refused, because too much': 0 };
  const [desk] = windows;
  if (!desk) throw new Error('The office has no window.');

  async function giveBackFrom(window: Database, reference: string, part: number): Promise<void> {
    const payment = await findPayment(window, reference);
    if (!payment) return;
    keys += 1;
    counts['refunds asked for by two windows at once'] += 1;
    const paise = Math.round(payment.amountPaise * part);
    const request = { key: `office-refund-${keys}`, reference, paise, reason: 'torture', who: 'the office' };
    const refusal = await window.write((transaction) => storeRefund(transaction, Date.now(), request));
    if (refusal) counts['of these refused, because too much'] += 1;
  }

  const post = { settings: readSettings({}), clock: Date.now, ids: randomIds };
  return {
    counts,
    cancel: (id: string) =>
      desk.write((transaction) => moveOrder(transaction, post, { id, move: 'cancel' }, async () => {})),
    /** Waits until the money is there; then each window gives back its part of it at the same moment. */
    async giveBack(reference: string, parts: readonly number[]): Promise<void> {
      for (let look = 0; look < LOOKS; look += 1) {
        const payment = await findPayment(desk, reference);
        if (payment && holdsMoney(payment.state)) {
          await Promise.all(
            parts.map((part, index) =>
              giveBackFrom(windows[index % windows.length] ?? desk, reference, part),
            ),
          );
          return;
        }
        await pause(BETWEEN);
      }
    },
  };
}

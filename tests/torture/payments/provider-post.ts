import { setTimeout as pause } from 'node:timers/promises';
import type { Webhook } from '#tests/support/providers/fake-provider.ts';
import type { ApiProcess } from '#tests/torture/child.ts';

/** How long the provider waits for an answer, in ms. */
const TIMEOUT = 10_000;

/** Sends a provider's webhooks to the shop. One that meets a dead process is not sent again: it never came. */
export function createPost(name: string, next: () => ApiProcess) {
  const waiting = new Set<Promise<void>>();
  const counts = { sent: 0, lost: 0, refused: 0 };

  async function send({ headers, body }: Webhook): Promise<number | undefined> {
    const { url } = next();
    counts.sent += 1;
    try {
      const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT) };
      const answer = await fetch(`${url}/api/v1/payments/callback/${name}`, init);
      await answer.text();
      if (answer.status === 503) counts.lost += 1;
      else if (!answer.ok) counts.refused += 1;
      return answer.status;
    } catch {
      counts.lost += 1;
      return undefined;
    }
  }

  return {
    counts,
    send,
    /** Sends the webhook once for each of these delays, in ms. */
    sendLater(webhook: Webhook, delays: readonly number[]): void {
      for (const delay of delays) {
        const sending = pause(delay).then(async () => void (await send(webhook)));
        waiting.add(sending);
        void sending.finally(() => waiting.delete(sending));
      }
    },
    /** Resolves when everything has been sent. */
    async empty(): Promise<void> {
      while (waiting.size > 0) await Promise.all(waiting);
    },
  };
}

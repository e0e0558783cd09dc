import { setTimeout as pause } from 'node:timers/promises';
import type { Webhook } from '#tests/support/providers/fake-provider.ts';
import type { ApiProcess } from '#tests/torture/child.ts';

/** How long the provider waits for an answer, in ms. */
const TIMEOUT = 10_000;

/** Sends a provider's webhooks to the shop. One that meets a dead process is not sent again: it never came. */
export function createPost(name: string, next: () => ApiProcess) {
  const waiting = new Set<Promise<void>>();
  const counts = { 'webhooks sent': 0, 'webhooks lost with their process': 0 };

  async function send({ headers, body }: Webhook): Promise<void> {
    const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT) };
    counts['webhooks sent'] += 1;
    const status = await fetch(`${next().url}/api/v1/payments/callback/${name}`, init).then(
      (answer) => answer.status,
      () => 503,
    );
    if (status === 503) counts['webhooks lost with their process'] += 1;
  }

  return {
    counts,
    /** Sends the webhook once for each of these delays, in ms. */
    sendLater(webhook: Webhook, delays: readonly number[]): void {
      for (const delay of delays) {
        const sending = pause(delay).then(() => send(webhook));
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

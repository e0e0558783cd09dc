import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ADDRESS, MANGO, PASSWORD } from '#tests/api/support/api.ts';
import { limitedApi } from '#tests/api/support/standing-date.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SHOPPERS = 2_000;
/** So many accounts the guesser knows, from a leak of last year: their people have signed in on their phones before. */
const VICTIMS = 20;
const MISTYPED = 0.03;
/** Browsers that have been cleared, or are new. */
const NEW_DEVICES = 0.05;
const GUESSES_A_MINUTE = 50;

const SessionSchema = v.object({ token: v.string(), device: v.string() });
const OrderSchema = v.object({ id: v.string() });

/** The same numbers in each run, evenly spread from 0 to 1. */
function evenly(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The most of these moments within any 15 minutes. */
const mostAtOnce = (moments: readonly number[]): number =>
  Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + 15 * MINUTE).length));

test('[fault 121] behind one address 2,000 people shop for an hour, while somebody there guesses passwords', async () => {
  const api = await limitedApi();
  const random = evenly();
  const start = Date.now() + HOUR;
  const tally = { signedIn: 0, keptOut: 0, registered: 0, tracked: 0 };
  const guesses = new Map<string, number[]>();
  const agenda: { readonly at: number; readonly run: () => Promise<void> }[] = [];
  const email = (shopper: number) => `shopper${shopper}@example.com`;

  async function signIn(shopper: number, device?: string) {
    const ask = (password: string) =>
      api.ask('/users/authorize', { json: { email: email(shopper), password, device } });
    if (random() < MISTYPED) await ask('mistyped');
    const { status, json } = await ask(PASSWORD);
    if (status !== 200) {
      tally.keptOut += 1;
      return undefined;
    }
    tally.signedIn += 1;
    return v.parse(SessionSchema, json);
  }

  async function guess(account: string): Promise<void> {
    const { status } = await api.ask('/users/authorize', { json: { email: account, password: 'a guess' } });
    if (status === 401) guesses.set(account, [...(guesses.get(account) ?? []), Date.now()]);
  }

  for (let shopper = 0; shopper < SHOPPERS; shopper += 1) {
    const begin = random() * (HOUR - 21 * MINUTE);
    let device: string | undefined;
    let order = '';
    agenda.push(
      {
        at: shopper < VICTIMS ? -HOUR : begin,
        run: async () => {
          const json = { email: email(shopper), password: PASSWORD, firstName: 'Asha', lastName: 'Rao' };
          if ((await api.ask('/users/register', { json })).status === 201) tally.registered += 1;
          if (shopper < VICTIMS) device = (await signIn(shopper))?.device;
        },
      },
      {
        at: begin + 30 * SECOND,
        run: async () => {
          const session = await signIn(shopper, device);
          device = session?.device;
          const placed = session && (await api.order(session.token, { [MANGO]: 1 }));
          order = placed ? v.parse(OrderSchema, placed.json).id : '';
        },
      },
      {
        at: begin + 10 * MINUTE,
        run: async () => {
          const contact = encodeURIComponent(random() < MISTYPED ? 'mistyped' : ADDRESS.phone);
          await api.ask(`/orders/${order}?contactInfo=${contact}`);
          const { status } = await api.ask(
            `/orders/${order}?contactInfo=${encodeURIComponent(ADDRESS.phone)}`,
          );
          if (status === 200) tally.tracked += 1;
        },
      },
      {
        at: begin + 20 * MINUTE,
        run: async () => void (await signIn(shopper, random() < NEW_DEVICES ? undefined : device)),
      },
    );
  }
  for (let count = 0; count < GUESSES_A_MINUTE * 60; count += 1) {
    const account = count % 2 === 0 ? email((count / 2) % VICTIMS) : `made-up${count}@example.com`;
    agenda.push({ at: (count * MINUTE) / GUESSES_A_MINUTE, run: () => guess(account) });
  }

  for (const { at, run } of agenda.toSorted((one, other) => one.at - other.at)) {
    api.pass(start + Math.floor(at) - Date.now());
    await run();
  }

  const attempts = tally.signedIn + tally.keptOut;
  expect(attempts).toBe(2 * SHOPPERS + VICTIMS);
  expect(tally.signedIn / attempts).toBeGreaterThanOrEqual(0.995);
  expect(tally).toMatchObject({ registered: SHOPPERS, tracked: SHOPPERS });
  const most = Math.max(...[...guesses.values()].map(mostAtOnce));
  expect(most).toBe(10);
}, 120_000);

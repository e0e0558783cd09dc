import { verify } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { readSettings } from '#scripts/settings/settings.ts';
import { PASSWORD } from '#tests/api/support/api.ts';
import { filledForm, OFFICE_PASSWORD, officeApi } from '#tests/api/support/office.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>();
  return { ...argon2, verify: vi.fn(argon2.verify) };
});

const CHEAP = { memoryCost: 8, timeCost: 1 };

test.each([
  ['one address', () => '192.0.2.1'],
  ['many addresses', (index: number) => `192.0.2.${index}`],
])(
  '[fault 122] while 63 connections from %s sign in with 7 right passwords, 20 strangers and an owner come in',
  async (_name, addressOf) => {
    const { hashing } = readSettings({});
    const { ask, staff, browser, shop } = await officeApi({
      settings: { hashing: { ...hashing, cost: CHEAP } },
    });
    await staff('owner');
    const emails = Array.from({ length: 27 }, (_, index) => `person${index}@example.com`);
    for (const [index, email] of emails.entries()) {
      await ask('/users/register', {
        json: { email, password: PASSWORD, firstName: 'Asha', lastName: 'Rao' },
        from: `198.51.100.${index}`,
      });
    }
    const person = browser();
    const form = filledForm((await person.get('/office/sign-in')).text, '/office/sign-in', {
      email: 'owner@example.com',
      password: OFFICE_PASSWORD,
    });

    const everybodyCame = Promise.withResolvers<void>();
    const argon2 = await vi.importActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
    vi.mocked(verify).mockImplementation(async (...given) => {
      await everybodyCame.promise;
      return argon2.verify(...given);
    });
    let refused = 0;
    const signIn = async (email = '', from = '') => {
      const answer = await ask('/users/authorize', { json: { email, password: PASSWORD }, from });
      refused += answer.status === 503 ? 1 : 0;
      return answer;
    };
    /** Waits until so many sign-ins have a place or are refused. */
    const untilCame = (count: number) =>
      expect
        .poll(() => {
          const { running, waiting } = shop.passwords.customers.load();
          return running + waiting + refused;
        })
        .toBe(count);
    const flood = Array.from({ length: 63 }, (_, index) => signIn(emails[index % 7], addressOf(index)));
    await untilCame(63);
    const strangers = emails.slice(7).map((email, index) => signIn(email, `203.0.113.${index}`));
    const owner = person.post('/office/sign-in', form);
    await untilCame(63 + 20);
    everybodyCame.resolve();
    const answers = await Promise.all(strangers);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await owner).status).toBe(303);
    await Promise.all(flood);
  },
);

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createMachine, type Machine } from '#tests/rehearsal/machine.ts';
import { commandsOf, setUp } from '#tests/rehearsal/steps.ts';
import { createShopClient, type SignedIn } from '#tests/support/shop-client.ts';

const stepsOf = (heading: string): string[] => commandsOf('UPGRADING.md', heading);

const UPGRADE = stepsOf('Upgrade');

/** Changes a line of the new version. */
function change(machine: Machine, file: string, from: string, to: string): void {
  const path = join(machine.home, 'srv/shop/next', file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(path, text.replace(from, to));
}

const withMigration = (machine: Machine): void =>
  change(
    machine,
    'src/server/db/migrations.ts',
    'schemaOf];',
    "schemaOf, () => 'CREATE TABLE of_the_new_version (name TEXT)'];",
  );

/** The new version changes the database, and fails right after. */
function broken(machine: Machine): void {
  withMigration(machine);
  change(
    machine,
    'src/server/server.ts',
    "log('info', 'listening'",
    "throw new Error('broken'); log('info', 'listening'",
  );
}

describe('scripts/hosting/UPGRADING.md', () => {
  let machine: Machine;
  let shopper: SignedIn;
  let order: string;

  const client = () => createShopClient({ url: machine.upstream });
  const isUp = (): Promise<boolean> =>
    fetch(`${machine.upstream}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const version = async (): Promise<string> =>
    existsSync(join(machine.home, 'srv/shop/app/new-version')) ? 'new' : 'old';

  /** Takes the steps of an upgrade. @param changeIt what makes the clone the new version */
  async function upgrade(
    steps: readonly string[],
    changeIt: (machine: Machine) => void = withMigration,
  ): Promise<void> {
    for (const step of steps) {
      await machine.run(step);
      if (!step.startsWith('git clone')) continue;
      appendFileSync(join(machine.home, 'srv/shop/next/new-version'), '');
      changeIt(machine);
    }
  }

  /** Goes back as the page says. Where the old version refuses the database, also with the database. */
  async function goBack(): Promise<'without' | 'with the database'> {
    for (const step of stepsOf('Go back')) await machine.run(step);
    const refusal = /The database has version \d+; this program knows \d+/;
    const before = machine.log('shop-api@8044').length;
    await expect
      .poll(async () => (await isUp()) || refusal.test(machine.log('shop-api@8044').slice(before - 200)))
      .toBe(true);
    if (await isUp()) return 'without';
    for (const step of stepsOf('Go back with the database')) await machine.run(step);
    await expect.poll(isUp).toBe(true);
    await expect(client().orders(shopper), 'a session of the backup').rejects.toThrow();
    shopper = await client().signIn(shopper);
    return 'with the database';
  }

  beforeAll(async () => {
    machine = await createMachine({ without: 'shop-watch' });
    await setUp(machine, 'systemctl enable --now shop-api');
    await vi.waitUntil(isUp, { timeout: 600_000 });
    shopper = await client().newSignedIn();
    order = (await client().order(shopper)).id;
  });
  afterAll(() => machine?.close());

  /** The old version runs, and no order is lost. */
  async function expectOldShop(): Promise<void> {
    await expect.poll(isUp).toBe(true);
    expect(await version()).toBe('old');
    expect((await client().orders(shopper)).map(({ id }) => id)).toContain(order);
  }

  /** Steps beside the running old version harm nothing. */
  const cuts = UPGRADE.filter((step) => /^runuser|^mv/.test(step));

  test.each(cuts)('cut off at %s, the old version runs again with its data', async (step) => {
    await upgrade(UPGRADE.slice(0, UPGRADE.indexOf(step)));
    await machine.cutOff(step, 30);
    await goBack();
    await expectOldShop();
  });

  test('rolls back a new version that changes the database and does not start', async () => {
    await upgrade(UPGRADE, broken);
    await expect.poll(() => machine.log('shop-api@8044')).toContain('broken');
    expect(await isUp()).toBe(false);
    expect(await goBack()).toBe('with the database');
    await expectOldShop();
  });

  test('an upgrade with an order under way: the new version has it, and the old one too after going back', async () => {
    await upgrade(UPGRADE);
    await expect.poll(isUp).toBe(true);
    expect(await version()).toBe('new');
    expect((await client().orders(shopper)).map(({ id }) => id)).toContain(order);
    await client().pay(shopper, order);
    expect(await goBack()).toBe('with the database');
    await expectOldShop();
  });
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { importCatalogue } from '#server/catalogue/folder/import.ts';
import { type CatalogueContent, readCatalogue } from '#server/catalogue/folder/read.ts';
import type { Database } from '#server/db/database.ts';
import { BACKED_UP_AT, setMeta } from '#server/db/meta.ts';
import { type Facts, findingsOf, shopFacts } from '#server/doctor/check.ts';
import { CHECKS } from '#server/doctor/checks.ts';
import { DAY } from '#server/process/clock.ts';
import { givenIn } from '#server/settings/parse.ts';
import { readSettings } from '#server/settings/settings.ts';
import { STORE_DEFAULTS } from '#site.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { adminApi, documentOf, mainText } from '#tests/server/support/admin.ts';
import { catalogue } from '#tests/server/support/api.ts';
import { newDatabase, openUntilEnd, storedDatabase } from '#tests/server/support/databases.ts';
import { runSql } from '#tests/server/support/rows.ts';
import { listenLocally } from '#tests/support/free-port.ts';
import { IDLE } from '#tests/support/watcher-hook.ts';

const NOW = Date.UTC(2026, 10, 23);

/** The URL of the site, and of the watcher: a server that says which release is live. */
let site: string;
beforeAll(async () => {
  // It is the web server and the watcher in one.
  const answer = { ...IDLE, release: '000002-20261123-000000' };
  const server = createServer((_request, response) => response.end(JSON.stringify(answer)));
  site = await listenLocally(server);
  return () => server.close();
});

/** What a case changes in a shop without findings. */
interface Change {
  readonly env?: NodeJS.Dict<string>;
  readonly catalogue?: (own: CatalogueContent) => CatalogueContent;
  readonly facts?: Partial<Facts>;
  /** Days since the last backup. */
  readonly backup?: number | 'none';
  readonly owner?: 'none' | 'without password';
  /** How far the clock went forward just now, in days. */
  readonly jump?: number;
  /** Days since a backup was restored. */
  readonly restored?: number;
  /** Makes files, and returns settings that name them. */
  readonly files?: (folder: string) => NodeJS.Dict<string> | Promise<NodeJS.Dict<string>>;
  /** The release that should be live. */
  readonly current?: string;
}

const record =
  (change: object) =>
  (own: CatalogueContent): CatalogueContent => ({ ...own, storeInfo: { ...own.storeInfo, ...change } });

const withOrigin = (own: CatalogueContent): CatalogueContent => ({
  ...own,
  products: own.products.map((product) => ({
    ...product,
    id: `own-${product.id}`,
    attributes: [...product.attributes, { key: 'countryOfOrigin', values: ['India'] }],
  })),
  discontinued: new Set(),
});

const OWN = {
  companyName: 'Asha Fruit',
  companyEmail: 'asha@fruit.in',
  licences: { fssai: '12345678901234', gstin: '' },
  grievanceOfficer: { name: 'Asha Rao', designation: 'Owner', email: '', phone: '', hours: '' },
};

async function fill(
  db: Database,
  { catalogue: changed, backup = 1, owner, jump = 0, restored: sinceRestore = 31 }: Change,
): Promise<void> {
  const own = record({ ...OWN, siteUrl: site })(withOrigin(catalogue));
  await importCatalogue(db, changed ? changed(own) : own);
  await db.write(async (transaction) => {
    const person =
      "INSERT INTO staff (id, email, name, role, created_at) VALUES ('a', 'a@fruit.in', '', 'owner', 1)";
    if (owner !== 'none') await runSql(transaction, person);
    if (owner === undefined) await runSql(transaction, "UPDATE staff SET password_hash = 'a hash'");
    const clock = { seen: NOW, jump: { from: NOW - jump * DAY, to: NOW, isRepaired: true } };
    await setMeta(transaction, 'clock', JSON.stringify(clock));
    const restored = { at: NOW - sinceRestore * DAY, newest: NOW - 40 * DAY, next: 2_001 };
    await setMeta(transaction, 'restored', JSON.stringify(restored));
    if (backup !== 'none') await setMeta(transaction, BACKED_UP_AT, String(NOW - backup * DAY));
  });
}

async function findings(change: Change): Promise<string[]> {
  const folder = temporaryFolder();
  const database = await storedDatabase(join(folder, 'shop.sqlite'));
  const releases = join(folder, 'releases');
  const current = change.current ?? '000002-20261123-000000';
  mkdirSync(join(releases, current), { recursive: true });
  symlinkSync(current, join(releases, 'current'));
  const env = givenIn({
    NODE_ENV: 'production',
    DATABASE: database,
    SITE_ORIGIN: site,
    PUBLIC_API_HOST: 'https://api.fruit.in',
    PAYMENT_PROVIDERS: 'cod',
    ADMIN: 'on',
    SMTP_URL: 'smtp://127.0.0.1:25',
    MAIL_FROM: 'asha@fruit.in',
    MAIL_PROVIDER: 'Letter Post',
    TRUST_PROXY: '127.0.0.1',
    PUBLISH_HOOK: site,
    REBUILD_TOKEN: 'a-token-of-the-shop-owner',
    PUBLISH_DIR: releases,
    ...change.env,
    ...(await change.files?.(folder)),
  });
  const db = await openUntilEnd(database);
  await fill(db, change);
  let settings: Facts['settings'];
  try {
    settings = readSettings(env);
  } catch {
    // A check reports it.
  }
  const probes = { certificateOf: async () => undefined };
  const facts = { env, settings, shop: await shopFacts(db), now: NOW, ...probes, ...change.facts };
  return (await findingsOf(CHECKS, facts)).map(({ name }) => name);
}

test('a shop that is ready has no findings', async () => {
  expect(await findings({})).toEqual([]);
});

/** For each check, a change that it finds. */
const CASES: Readonly<Record<string, Change>> = {
  settings: { env: { WATCH_PORT: 'many' } },
  production: { env: { NODE_ENV: 'development' } },
  'site address': { env: { SITE_ORIGIN: 'https://other.in' } },
  'API address': { env: { PUBLIC_API_HOST: 'http://localhost:8044' } },
  payments: { env: { PAYMENT_PROVIDERS: 'cod,sandbox', SANDBOX_GATEWAY: 'on' } },
  'no payments': { env: { PAYMENT_PROVIDERS: '', SANDBOX_GATEWAY: 'off' } },
  'provider keys': { env: { PAYMENT_PROVIDERS: 'razorpay' } },
  watcher: { env: { REBUILD_TOKEN: '' } },
  emails: { env: { SMTP_URL: '' } },
  'mail provider': { env: { MAIL_PROVIDER: '' } },
  proxy: { env: { TRUST_PROXY: '' } },
  address: {
    env: { SITE_ORIGIN: 'https://fruit.example' },
    catalogue: record({ siteUrl: 'https://fruit.example' }),
  },
  company: { catalogue: record({ companyName: readCatalogue('scripts/demo').storeInfo.companyName }) },
  officer: { catalogue: record({ grievanceOfficer: { ...OWN.grievanceOfficer, name: '' } }) },
  contact: { catalogue: record({ companyEmail: 'asha@fruit.example' }) },
  catalogue: {
    catalogue: (own) => {
      const demo = readCatalogue('scripts/demo').products.slice(0, 1);
      const { imgUrl = '' } = own.products[0] ?? {};
      const products = [...own.products, ...demo.map((product) => ({ ...product, imgUrl, images: [] }))];
      return { ...own, products };
    },
  },
  owner: { owner: 'without password' },
  'no backup': { backup: 'none' },
  backup: { backup: 2 },
  certificate: { facts: { certificateOf: async () => ({ until: NOW + DAY, refusal: undefined }) } },
  publishing: { env: { PUBLISH_HOOK: 'http://127.0.0.1:1' } },
  clock: { jump: 2 },
  'restored backup': { restored: 29 },
  FSSAI: { catalogue: record({ licences: { fssai: '', gstin: '' } }) },
  'country of origin': {
    catalogue: (own) => ({
      ...own,
      products: own.products.map((product) => ({ ...product, attributes: [] })),
    }),
  },
  owners: {
    facts: { ownerOf: (path) => (path.endsWith('scripts') ? 0 : 65_534) },
    env: { PUBLISH_DIR: '.' },
  },
  disk: { facts: { freeBytes: () => 2 ** 30 - 1 } },
  'live release': { current: '000003-20261123-000000' },
  'settings file': {
    files: (folder) => {
      const file = join(folder, 'shop.env');
      writeFileSync(file, '', { mode: 0o644 });
      return { SHOP_ENV: file };
    },
  },
  database: { files: async (folder) => ({ DATABASE: await newDatabase(folder, 'none') }) },
};

/** Further changes that a check finds. */
const OTHER_CASES: readonly (readonly [name: string, change: Change])[] = [
  ['owner', { owner: 'none' }],
  ['backup', { backup: -2 }],
  ['clock', { jump: -2 }],
  ['settings', { env: { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: '' } }],
  ['officer', { catalogue: record({ grievanceOfficer: STORE_DEFAULTS.grievanceOfficer }) }],
  ['watcher', { env: { PUBLISH_HOOK: '' } }],
];

test.each([...Object.entries(CASES), ...OTHER_CASES])('finds: %s', async (name, change) => {
  expect(await findings(change)).toEqual([name]);
});

/** Checks of a running API, which tests/server/app/alerts.test.ts has. */
const RUNNING = ['database writes', 'jobs', 'outbox', 'payment providers', 'webhooks'];

test('every check has a case', () => {
  expect(CHECKS.map(({ name }) => name).toSorted()).toEqual([...Object.keys(CASES), ...RUNNING].toSorted());
});

test('npm run doctor shows what is set and from where, never a secret, and fails while a finding blocks', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'shop.env');
  const settings = 'REBUILD_TOKEN=a-token-of-the-shop-owner\nADMIN=on\nMAIL_FROM=a@fruit.in\n';
  const mail = 'SMTP_URL=smtps://user:a-token-of-mail@mail.in:465\n';
  writeFileSync(file, settings + mail, { mode: 0o600 });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/doctor.ts'], {
    env: { PATH: process.env.PATH, SHOP_ENV: file, DATABASE: join(folder, 'none.sqlite') },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, '']);
  for (const line of [
    /^Settings of \S+shop\.env$/m,
    /^ {2}ADMIN +on$/m,
    /^ {2}DATABASE +\S+none\.sqlite {2}\(from the environment\)$/m,
    /^ {2}REBUILD_TOKEN +\(set\)$/m,
  ])
    expect(stdout).toMatch(line);
  expect(stdout).not.toContain('a-token-of');
  expect(stdout).toContain('There is no database of a shop at DATABASE.');
  expect(existsSync(join(folder, 'none.sqlite'))).toBe(false);
});

test("the admin's first page shows the findings to owners, with links to the pages, and to no other role", async () => {
  const api = await adminApi();
  const text = (await (await api.staff('owner')).get('/admin')).text;
  expect(mainText(text)).toContain('Before you open');
  const links = [...documentOf(text).querySelectorAll('details a')].map((link) => link.getAttribute('href'));
  expect(links).toContain('/admin/store');
  const page = await (await api.staff('editor')).get('/admin');
  expect(mainText(page.text)).not.toContain('Before you open');
});

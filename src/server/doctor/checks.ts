import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { labelOf } from '#domain/attributes.ts';
import { plural } from '#domain/text.ts';
import { BACKED_UP_AT, readMeta } from '#server/db/meta.ts';
import { databaseState, UNRELEASED } from '#server/db/open-database.ts';
import { restoredProblem } from '#server/db/transfer/order-numbers.ts';
import { providerProblems } from '#server/payments/providers/providers.ts';
import { foreignFiles, ownerOf } from '#server/process/permissions.ts';
import type { Services } from '#server/services/services.ts';
import { settingsFile } from '#server/settings/load.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { isPostgres, PUBLISH, readSettings, wrongSettings } from '#server/settings/settings.ts';
import { listStaff } from '#server/staff/stored-staff.ts';
import { ALERT_CHECKS } from './alerts.ts';
import { type Check, type Finding, findingsOf, shopFacts } from './check.ts';
import { DEMO_CHECKS, isReserved } from './demo.ts';

const asLine = (problems: readonly string[]): string | undefined =>
  problems.length === 0 ? undefined : problems.join('; ');

function refusalOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
  }
}

const isPublic = (address: string): boolean =>
  address.startsWith('https:') && !isReserved(address) && new URL(address).hostname !== 'localhost';

const SETTINGS_CHECKS: readonly Check[] = [
  {
    name: 'settings',
    todo: 'Correct them in the settings file; shop.env.example says what each may be.',
    find: ({ env }) => asLine(wrongSettings(env)) ?? refusalOf(() => readSettings(env)),
  },
  {
    name: 'production',
    todo: 'Set NODE_ENV=production.',
    find: ({ env }) =>
      env.NODE_ENV !== 'production' && 'The shop runs as a trial, which allows what a live shop must not do.',
  },
  {
    name: 'site address',
    todo: 'Set SITE_ORIGIN to the address of the shop in the store record.',
    find({ settings, shop }) {
      if (!settings || !shop?.store.siteUrl) return undefined;
      const { origin } = new URL(shop.store.siteUrl);
      return (
        !settings.siteOrigins.includes(origin) &&
        `The API lets ${settings.siteOrigins.join(', ')} call it, and the shop is at ${origin}: browsers would refuse every order.`
      );
    },
  },
  {
    name: 'API address',
    todo: 'Set PUBLIC_API_HOST to the address at which browsers reach the API.',
    find: ({ settings }) =>
      settings &&
      !isPublic(settings.apiOrigin ?? '') &&
      `The address of the API is ${settings.apiOrigin ?? 'not set'}, which no phone can reach by https.`,
  },
  {
    name: 'payments',
    todo: 'Name a provider in PAYMENT_PROVIDERS and set SANDBOX_GATEWAY=off.',
    find: ({ settings }) =>
      settings?.paymentProviders.includes('sandbox') &&
      'The sandbox takes the payments: customers can mark their own orders as paid.',
  },
  {
    name: 'no payments',
    todo: 'Name the payment methods in PAYMENT_PROVIDERS, such as razorpay,cod.',
    find: ({ settings }) => settings?.paymentProviders.length === 0 && 'The shop takes no payments.',
  },
  {
    name: 'provider keys',
    todo: 'Set the keys that the provider has given you.',
    page: '/payment-methods',
    find: ({ settings }) => settings && asLine(providerProblems(settings)),
  },
  {
    name: 'watcher',
    severity: 'warns',
    todo: 'Set PUBLISH_HOOK and REBUILD_TOKEN, and start the watcher with the same token.',
    page: '/publish',
    find: ({ settings }) =>
      settings &&
      (settings.publishing.hook === undefined || settings.publishing.token === undefined) &&
      'The admin cannot publish what it changes.',
  },
  {
    name: 'emails',
    severity: 'warns',
    todo: 'Set SMTP_URL and MAIL_FROM to those of your mail provider.',
    page: '/emails',
    find: ({ env }) => !env.SMTP_URL && 'No emails are sent: customers get none about their orders.',
  },
  {
    name: 'mail provider',
    severity: 'warns',
    todo: 'Set MAIL_PROVIDER to the name of your mail provider.',
    find: ({ env }) =>
      env.SMTP_URL && !env.MAIL_PROVIDER && 'The privacy policy does not name the mail provider.',
  },
  {
    name: 'proxy',
    severity: 'warns',
    todo: 'Set TRUST_PROXY to the address of the web server before the API, such as 127.0.0.1.',
    find: ({ settings, env }) =>
      env.NODE_ENV === 'production' &&
      settings?.trustedProxies.length === 0 &&
      'Behind a web server all shoppers count as one address, and share its limits.',
  },
];

const DEMO_PRODUCTS = fileURLToPath(new URL('../../../scripts/demo/products', import.meta.url));

const TitlesSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ id: v.string(), title: v.string() })),
);

const demoTitles = (): Map<string, string> =>
  new Map(
    readdirSync(DEMO_PRODUCTS)
      .flatMap((file) => v.parse(TitlesSchema, readFileSync(join(DEMO_PRODUCTS, file), 'utf8')))
      .map(({ id, title }) => [id, title]),
  );

const hasOrigin = ({ attributes }: { attributes: readonly { readonly key: string }[] }): boolean =>
  attributes.some(({ key }) => labelOf({ key, values: [] }).toLowerCase() === 'country of origin');

const SHOP_CHECKS: readonly Check[] = [
  ...DEMO_CHECKS,
  {
    name: 'contact',
    todo: "Set 'Email' on the Store page.",
    page: '/store',
    find: ({ shop }) =>
      shop &&
      isReserved(`https://${shop.store.companyEmail.split('@').at(-1)}`) &&
      `Customers are asked to write to '${shop.store.companyEmail}', an address that cannot exist.`,
  },
  {
    name: 'catalogue',
    todo: 'Import your own catalogue (npm run catalogue -- replace FOLDER), or discontinue these products.',
    page: '/catalogue',
    find({ shop }) {
      const demo = demoTitles();
      const found = shop?.products.filter(({ id, title }) => demo.get(id) === title) ?? [];
      return (
        found.length > 0 &&
        `${plural(found.length, 'product')} of the demo shop can be bought, such as '${found[0]?.title}'.`
      );
    },
  },
  {
    name: 'owner',
    todo: 'Run npm run staff -- add EMAIL --role owner, and open the link that it prints.',
    page: '/staff',
    find: async ({ shop }) =>
      shop &&
      !(await listStaff(shop.db)).some(
        ({ role, passwordHash }) => role === 'owner' && passwordHash !== null,
      ) &&
      'The admin has no owner who can sign in.',
  },
  {
    name: 'no backup',
    todo: 'Run npm run backup -- FILE every night, as shop-backup.timer does, and keep the files on another machine.',
    find: async ({ shop }) =>
      shop && (await readMeta(shop.db, BACKED_UP_AT)) === undefined && 'There is no backup of the shop yet.',
  },
  {
    name: 'restored backup',
    severity: 'warns',
    todo: "Compare the orders with your payment provider's list and with the emails that the shop has sent since.",
    page: '/orders',
    find: ({ shop, now }) => shop && restoredProblem(shop.db, now),
  },
  {
    name: 'FSSAI',
    severity: 'warns',
    todo: 'Set the number of the FSSAI licence on the Store page; a shop that sells no food needs none.',
    page: '/store',
    find: ({ shop }) =>
      shop &&
      !shop.store.licences.fssai &&
      'No page names an FSSAI licence, which a seller of food must show.',
  },
  {
    name: 'country of origin',
    severity: 'warns',
    todo: "Give each product the attribute 'Country of Origin'.",
    page: '/catalogue',
    find({ shop }) {
      const without = shop?.products.filter((product) => !hasOrigin(product)) ?? [];
      return (
        without.length > 0 &&
        `${plural(without.length, 'product')} without a country of origin, which the law requires, such as '${without[0]?.title}'.`
      );
    },
  },
];

const OTHERS_MAY_READ = 0o004;

const DATABASE_STATES = {
  none: 'There is no database of a shop at DATABASE.',
  foreign: 'The database at DATABASE is not one of this shop. Move it away.',
  unreleased: UNRELEASED,
  older: 'The database is of an earlier version of the shop. The API brings it up to date when it starts.',
  newer: 'The database is of a later version of the shop than this program.',
  current: undefined,
} as const;

/** Checks of the machine itself, which the admin leaves out. */
const MACHINE_CHECKS: readonly Check[] = [
  {
    name: 'settings file',
    severity: 'warns',
    todo: 'Let only the users of the shop read it: chmod 640.',
    find({ env }) {
      const file = settingsFile(env);
      return (
        file !== undefined &&
        (statSync(file).mode & OTHERS_MAY_READ) !== 0 &&
        `Every user of this machine can read ${file}, which has passwords.`
      );
    },
  },
  {
    name: 'database',
    todo: 'Start the API, which creates and fills it.',
    find: async ({ settings }) => settings && DATABASE_STATES[await databaseState(settings.database)],
  },
  {
    name: 'owners',
    todo: 'Run these commands, and then each program as its own user, never as root.',
    find({ settings, env, ownerOf: owner = ownerOf }) {
      const { database = '' } = settings ?? {};
      const files = settings && !isPostgres(database) ? [database, `${database}-wal`, `${database}-shm`] : [];
      // A database that root made says nothing about whose the shop is.
      const shopUser = owner(resolve(database)) || process.geteuid?.();
      const folders = [parseSettings(PUBLISH, env).PUBLISH_DIR, '.cache'];
      const problems = [...files, ...folders].flatMap(
        (path) => foreignFiles(resolve(path), shopUser, owner) ?? [],
      );
      return asLine(problems);
    },
  },
];

const OPENING_CHECKS: readonly Check[] = [...SETTINGS_CHECKS, ...SHOP_CHECKS];

/** What keeps the shop from opening, as far as a running API can see it. */
export const openingFindings = async ({ settings, db, clock }: Services): Promise<Finding[]> =>
  findingsOf(OPENING_CHECKS, {
    env: settings.environment,
    settings,
    shop: await shopFacts(db),
    now: clock(),
  });

/**
 * What `npm run doctor` examines. The first page of the admin shows the findings, too, except those of the machine. A
 * new check is a row of its list, and a case in tests/server/app/doctor.test.ts.
 */
export const CHECKS: readonly Check[] = [...OPENING_CHECKS, ...MACHINE_CHECKS, ...ALERT_CHECKS];

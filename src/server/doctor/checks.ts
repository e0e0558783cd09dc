import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { labelOf } from '#domain/attributes.ts';
import { plural } from '#domain/text.ts';
import { clockProblem } from '#server/db/clock-watch.ts';
import { BACKED_UP_AT, readMeta } from '#server/db/meta.ts';
import { databaseState, UNRELEASED } from '#server/db/open-database.ts';
import { restoredProblem } from '#server/db/transfer/order-numbers.ts';
import { providerProblems } from '#server/payments/providers/providers.ts';
import { DAY } from '#server/process/clock.ts';
import { foreignFiles, ownerOf } from '#server/process/permissions.ts';
import type { Services } from '#server/services/services.ts';
import { settingsFile } from '#server/settings/load.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { isPostgres, PUBLISH, readSettings, wrongSettings } from '#server/settings/settings.ts';
import { listStaff } from '#server/staff/stored-staff.ts';
import { type Check, type Facts, type Finding, findingsOf, shopFacts } from './check.ts';
import { DEMO_CHECKS, isReserved } from './demo.ts';
import { LIVE_RELEASE_CHECK } from './live-release.ts';

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
    name: 'backup',
    todo: 'Run npm run backup -- FILE every night, as shop-backup.timer does, and keep the files on another machine.',
    async find({ shop, now }) {
      if (!shop) return undefined;
      const stored = await readMeta(shop.db, BACKED_UP_AT);
      if (stored === undefined) return 'There is no backup of the shop yet.';
      const days = Math.floor((now - Number(stored)) / DAY);
      return days >= 2 && `The last backup is ${days} days old.`;
    },
  },
  {
    name: 'clock',
    severity: 'warns',
    todo: 'If a date is wrong, set the clock (timedatectl set-ntp true). Orders placed meanwhile have wrong times.',
    find: ({ shop, now }) => shop && clockProblem(shop.db, now),
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

const GIBIBYTE = 2 ** 30;

const OTHERS_MAY_READ = 0o004;

/** Returns the nearest existing folder of a path. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

const writtenFolders = ({ env, settings }: Facts): string[] => [
  ...(settings && !isPostgres(settings.database) ? [dirname(resolve(settings.database))] : []),
  resolve(parseSettings(PUBLISH, env).PUBLISH_DIR),
  resolve('.cache'),
];

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

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
  {
    name: 'disk',
    todo: 'Make room: a release, a backup and the database need some.',
    find(facts) {
      const { freeBytes = freeBytesOf } = facts;
      const full = writtenFolders(facts).filter((folder) => freeBytes(nearest(folder)) < GIBIBYTE);
      return full.length > 0 && `Less than 1 GiB is free where ${full.join(', ')} is.`;
    },
  },
];

const ADMIN_CHECKS: readonly Check[] = [...SETTINGS_CHECKS, ...SHOP_CHECKS, LIVE_RELEASE_CHECK];

export const adminFindings = async ({ settings, db, clock }: Services): Promise<Finding[]> =>
  findingsOf(ADMIN_CHECKS, {
    env: settings.environment,
    settings,
    shop: await shopFacts(db),
    now: clock(),
  });

/**
 * What must hold before the first order. `npm run doctor` and the first page of the admin show the findings. A new
 * check is a row of its list, and a case in tests/server/app/doctor.test.ts.
 */
export const CHECKS: readonly Check[] = [...ADMIN_CHECKS, ...MACHINE_CHECKS];

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { BACKED_UP_AT, readMeta } from '#server/db/meta.ts';
import type { Check } from '#server/doctor/check.ts';
import { DEMO_CHECKS, isReserved } from '#server/doctor/demo.ts';
import { DAY } from '#server/process/clock.ts';
import { clockProblem } from '#server/services/clock-watch.ts';
import { plural } from '#server/services/plain-text.ts';
import { listStaff } from '#server/staff/stored-staff.ts';

const DEMO_PRODUCTS = fileURLToPath(new URL('../../../../scripts/demo/products', import.meta.url));

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
  attributes.some(({ key }) => /^country of origin$/i.test(key.trim()));

export const SHOP_CHECKS: readonly Check[] = [
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

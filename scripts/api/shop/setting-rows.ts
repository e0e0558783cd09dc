import * as v from 'valibot';
import { withoutEndSlashes } from '#domain/url.ts';
import { isPostgres, shownAddress } from '#scripts/api/db/open-database.ts';
import { isNetwork } from '#scripts/api/http/client-address.ts';
import { PUBLIC_API_HOST } from '#scripts/program/api-base.ts';
import { HSTS } from '#scripts/program/hsts.ts';
import { REBUILD_TOKEN } from '#scripts/program/publishing.ts';
import {
  commaList,
  hidden,
  onOff,
  type Setting,
  type Settings,
  secret,
  text,
  whole,
} from '#scripts/program/setting.ts';
import { LIMITS } from './limits.ts';

const isOrigin = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) && new URL(address).origin === address;

const origin = v.pipe(
  v.string(),
  v.trim(),
  v.transform((address) => address.replace(/\/$/, '')),
  v.check(isOrigin, 'must be an origin such as https://shop.example'),
);

const count = (fallback: number) => whole(fallback, 1, 1_000_000_000);

/** No other scheme, such as `mysql:`, is supported. A single letter before the colon is a Windows drive. */
const isDatabase = (address: string): boolean =>
  address !== '' && (isPostgres(address) ? URL.canParse(address) : !/^[a-z][a-z\d+.-]+:/i.test(address));

const webAddress = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (address) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol),
    'must be an address such as http://127.0.0.1:8055',
  ),
  v.transform(withoutEndSlashes),
);

export const LIMIT_SETTINGS: Readonly<Record<string, Setting<ReturnType<typeof count>>>> = Object.fromEntries(
  Object.values(LIMITS).map(({ variable, most, what }) => [
    variable,
    { schema: count(most), meaning: `How many ${what}.` },
  ]),
);

/** Every other setting of the API, by the name of its variable. A new one is a row here. */
export const API_SETTINGS = {
  NODE_ENV: {
    schema: v.optional(v.string()),
    meaning:
      'production: the shop is live. Programs then refuse what only a trial may do, such as publishing the name of the demo shop.',
  },
  SITE_ORIGIN: {
    schema: v.pipe(
      commaList('http://localhost:4321,http://127.0.0.1:4321'),
      v.array(origin),
      v.minLength(1, 'must name an origin'),
    ),
    meaning:
      'The address of the site, which may call the API from a browser, and to which payments return. Further ones follow after commas.',
  },
  PUBLIC_API_HOST,
  API_ORIGIN: {
    schema: v.optional(origin),
    meaning:
      'The public address of the API in the addresses of pictures and payments, if it is not PUBLIC_API_HOST.',
  },
  HSTS,
  DATABASE: {
    schema: v.pipe(
      text('.data/shop.sqlite'),
      v.check(isDatabase, 'must be a file, :memory: or postgres://user@host/name'),
    ),
    meaning: 'A file of SQLite, or postgres://user:password@host/name.',
    shown: shownAddress,
  },
  CATALOGUE: {
    schema: v.pipe(text('scripts/catalogue'), v.nonEmpty('must be a folder')),
    meaning: 'The folder with which the first start fills the database. The default is the demo shop.',
  },
  HOST: {
    schema: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))),
    meaning: 'The address of this machine at which the API listens. Unset: every one.',
  },
  PORT: { schema: whole(8044, 0, 65_535), meaning: 'The port of the API. 0 takes a free one.' },
  TRUST_PROXY: {
    schema: v.pipe(
      commaList(''),
      v.array(v.pipe(v.string(), v.check(isNetwork, 'must be an address or a network such as 10.0.0.0/8'))),
    ),
    meaning:
      'The proxies whose X-Forwarded-For counts: addresses, or networks such as 10.0.0.0/8, with commas between.',
  },
  OFFICE: {
    schema: v.optional(onOff, 'off'),
    meaning: "on: the API serves the staff's pages at /office. `npm start` sets it.",
  },
  PUBLISH_HOOK: {
    schema: v.optional(webAddress),
    meaning: 'The address of the watcher that publishes this catalogue.',
  },
  REBUILD_TOKEN,
  PAYMENT_PROVIDERS: {
    schema: v.optional(commaList('')),
    meaning:
      'The ways to be paid, in the order of the payment form, with commas between: razorpay, cashfree, cod (cash on delivery), sandbox.',
  },
  SANDBOX_GATEWAY: {
    schema: v.optional(onOff),
    meaning:
      'on: where PAYMENT_PROVIDERS names nothing, the sandbox takes the payments, and whoever buys can mark the order as paid, which is for rehearsals only. off: none are taken. Where NODE_ENV=production, a shop with the sandbox must set it.',
  },
  SMTP_URL: {
    schema: v.optional(
      v.pipe(
        v.string(),
        v.check(
          (address) => URL.canParse(address) && /^smtps?:$/.test(new URL(address).protocol),
          'must be an address such as smtps://user:password@mail.example:465',
        ),
      ),
    ),
    meaning:
      'The mail server that takes letters. Unset: letters are files in the folder mail beside the database, and where NODE_ENV=production none are sent.',
    shown: hidden,
  },
  MAIL_FROM: {
    schema: v.optional(
      v.pipe(v.string(), v.trim(), v.email('must be an address such as orders@shop.example')),
    ),
    meaning: 'The address from which letters come. It must be set where SMTP_URL is.',
  },
  MAIL_CARRIER: {
    schema: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'must be at most 100 characters'))),
    meaning: 'The company that carries the letters, as the privacy policy names it.',
  },
  DAILY_LETTER_HOUR: {
    schema: whole(7, 0, 23),
    meaning: 'The hour in India at which the owners are written of the day before, and of what waits.',
  },
  REFUND_BY_ITSELF: {
    schema: v.optional(onOff, 'off'),
    meaning:
      'on: money that came for an order which was cancelled or paid before goes back at once. off: an owner gives it back.',
  },
  PENDING_DAYS: {
    schema: whole(2, 1, 365),
    meaning: 'After how many days an order that nobody has paid is cancelled.',
  },
  GATEWAY_SECRET: {
    schema: v.optional(secret),
    meaning:
      'Signs what passes between the shop and the sandbox. Unset: made once, and stored in the database.',
    shown: hidden,
  },
  METRICS_TOKEN: {
    schema: v.optional(secret),
    meaning: 'Whoever sends it may read /metrics. 16 characters or more. Unset: nobody may.',
    shown: hidden,
  },
  ORDERS_LISTED: {
    schema: count(50),
    meaning: 'How many orders an answer of GET /orders has. Its header Link leads to the next.',
  },
  HASHES_AT_ONCE: { schema: whole(2, 1, 64), meaning: 'How many passwords are hashed at a time.' },
  HASH_QUEUE: { schema: whole(50, 0, 100_000), meaning: 'How many may wait for that. The rest get 503.' },
  STOP_DELAY: {
    schema: whole(0, 0, 600),
    meaning: 'Seconds for which a stopping API still takes requests, so that a proxy can notice.',
  },
  STOP_LIMIT: {
    schema: whole(4, 1, 600),
    meaning: 'Seconds that requests under way may take after that.',
  },
  FAULTS: {
    schema: v.optional(onOff, 'off'),
    meaning: 'on: testers may switch faults on. Refused where NODE_ENV=production.',
  },
} satisfies Settings;

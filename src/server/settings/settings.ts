import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { withoutEndSlashes } from '#domain/url.ts';
import { isNetwork } from '#server/http/caller.ts';
import { DAY, HOUR, SECOND } from '#server/process/clock.ts';
import { type Environment, givenIn, parseSettings, problemsOf, SettingsError } from './parse.ts';

/*
 * Every setting, by the programs that read it: its name, its schema and its default. shop.env.example says what each
 * is for; a test compares the names. `npm run doctor` hides the values of names with SECRET or TOKEN.
 */

const text = (fallback: string) => v.pipe(v.optional(v.string(), fallback), v.trim());

const whole = (fallback: number, min: number, max: number) =>
  v.pipe(
    text(String(fallback)),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  );

const trimmed = v.pipe(v.string(), v.trim());

const DURATION_ERROR = 'must be days such as 2, or hours such as 6h, up to 365 days';

/** Days, or hours with an h. Units of the result: ms. */
const duration = v.pipe(
  text('2'),
  v.regex(/^\d{1,4}\s?h?$/i, DURATION_ERROR),
  v.transform((given) => Number.parseInt(given, 10) * (/h$/i.test(given) ? HOUR : DAY)),
  v.minValue(HOUR, DURATION_ERROR),
  v.maxValue(365 * DAY, DURATION_ERROR),
);

const listOf = <Entry extends v.GenericSchema<string, string>>(fallback: string, entry: Entry) =>
  v.pipe(
    text(fallback),
    v.transform((value) => Array.from(value.split(','), (item) => item.trim()).filter(Boolean)),
    v.array(entry),
  );

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  v.picklist(names, `must be ${names.join(' or ')}`);

const onOff = oneOf(['on', 'off']);
const trueFalse = oneOf(['true', 'false']);

/** Parses on, off, true or false. */
const flag = (fallback: 'on' | 'off' | 'true' | 'false') =>
  v.pipe(
    v.optional(fallback.startsWith('o') ? onOff : trueFalse, fallback),
    v.transform((value) => value === 'on' || value === 'true'),
  );

/** A secret that programs share with each other or with staff. */
const secret = v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'));

/** A key from a payment provider. */
const key = v.pipe(v.string('is missing'), v.trim(), v.minLength(8, 'must be the whole key'));

/** @param start what the address may begin with: its protocol, `//` and its host */
const url = (start: RegExp, error: string) =>
  v.pipe(
    trimmed,
    v.check((address) => {
      const read = URL.parse(address);
      return read !== null && start.test(`${read.protocol}//${read.hostname}`);
    }, error),
    v.transform(withoutEndSlashes),
  );

const webAddress = url(/^https?:/, 'must be an address such as https://api.shop.example');

const NO_ORIGIN = 'must be an origin such as https://shop.example';

const origin = v.pipe(
  url(/^https?:/, NO_ORIGIN),
  v.check((address) => new URL(address).origin === address, NO_ORIGIN),
);

/** The address of a provider's API: its own, or a fake on this machine. */
const providerAddress = (own: string) =>
  v.optional(
    url(
      /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])$)/,
      'must be https, or an address of this computer',
    ),
    own,
  );

export const isPostgres = (address: string): boolean => /^postgres(?:ql)?:\/\//.test(address);

/** With a port, or `*.` for all hosts below it. */
const HOST = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;

/** The default ports. */
export const PORTS = { api: 8044, site: 4321, watcher: 8055 };

/** The default of PUBLIC_API_HOST. On localhost the site calls this API, whatever it was built for. */
export const LOCAL_API = `http://localhost:${PORTS.api}`;

/** Read by the API and by the site. */
const BOTH = {
  PUBLIC_API_HOST: v.optional(webAddress, LOCAL_API),
  HSTS: v.pipe(
    text('max-age=15768000'),
    v.regex(
      /^(off|max-age=\d{1,9}(; includeSubDomains)?(; preload)?)$/,
      'must be off, or as max-age=15768000; includeSubDomains',
    ),
  ),
};

const API = {
  ...BOTH,
  NODE_ENV: v.optional(v.string()),
  SITE_ORIGIN: v.pipe(
    listOf(`http://localhost:${PORTS.site},http://127.0.0.1:${PORTS.site}`, origin),
    v.minLength(1, 'must name an origin'),
  ),
  API_ORIGIN: v.optional(origin),
  DATABASE: v.pipe(
    text('.data/shop.sqlite'),
    // A single letter before the colon is a Windows drive.
    v.check(
      (address) => (isPostgres(address) ? URL.canParse(address) : !/^[a-z][a-z\d+.-]+:/i.test(address)),
      'must be a file, :memory: or postgres://user@host/name',
    ),
  ),
  CATALOGUE: text('scripts/demo'),
  HOST: v.optional(trimmed),
  PORT: whole(PORTS.api, 0, 65_535),
  TRUST_PROXY: listOf(
    '',
    v.pipe(v.string(), v.check(isNetwork, 'must be an address or a network such as 10.0.0.0/8')),
  ),
  ADMIN: flag('off'),
  PUBLISH_HOOK: v.optional(webAddress),
  REBUILD_TOKEN: v.optional(secret),
  PAYMENT_PROVIDERS: listOf('', v.string()),
  SANDBOX_GATEWAY: v.optional(onOff),
  SMTP_URL: v.optional(url(/^smtps?:/, 'must be an address such as smtps://user:password@mail.example:465')),
  MAIL_FROM: v.optional(v.pipe(trimmed, v.email('must be an address such as orders@shop.example'))),
  MAIL_PROVIDER: v.optional(v.pipe(trimmed, v.maxLength(100, 'must be at most 100 characters'))),
  DAILY_EMAIL_HOUR: whole(7, 0, 23),
  AUTO_REFUND: flag('off'),
  CONFIRM_CASH: flag('off'),
  PENDING_DAYS: duration,
  ORDER_PREFIX: v.optional(v.pipe(trimmed, v.regex(/^[A-Z]{1,4}$/i, 'must be 1 to 4 letters'))),
  METRICS_TOKEN: v.optional(secret),
  LIMIT_FACTOR: whole(1, 1, 1_000_000),
  STOP_DELAY: whole(0, 0, 600),
};

/** Required only if PAYMENT_PROVIDERS names the provider. */
export const RAZORPAY_SETTINGS = {
  RAZORPAY_KEY_ID: key,
  RAZORPAY_KEY_SECRET: key,
  RAZORPAY_WEBHOOK_SECRET: key,
  RAZORPAY_API_URL: providerAddress('https://api.razorpay.com'),
};

export const CASHFREE_SETTINGS = {
  CASHFREE_CLIENT_ID: key,
  CASHFREE_CLIENT_SECRET: key,
  CASHFREE_API_URL: providerAddress('https://api.cashfree.com'),
  CASHFREE_ORDER_PAY: flag('off'),
};

/** Read by the build of the site. Only settings that begin with PUBLIC_ reach a page. */
export const SITE = {
  ...BOTH,
  PUBLIC_PAYMENT_HOSTS: listOf('', v.pipe(v.string(), v.regex(HOST, 'must be hosts with commas between'))),
  PUBLIC_IMAGES: v.optional(oneOf(['encode', 'passthrough']), 'encode'),
  PUBLIC_SERVICE_WORKER: flag('on'),
  PUBLIC_API_TEST: v.optional(trueFalse),
  PUBLIC_DEMO: flag('false'),
  CSP_META: flag('false'),
  PUBLIC_IDEMPOTENCY_KEYS: v.optional(trueFalse),
  PUBLIC_ORDER_LINES: v.optional(trueFalse),
};

/** Read by `npm run release`, `npm run build` and the watcher. */
export const PUBLISH = {
  PUBLISH_DIR: text('releases'),
  PUBLISH_AFTER: text(''),
  PRECOMPRESS: flag('true'),
  OUT_DIR: text('dist'),
};

export type PublishSettings = v.InferOutput<v.ObjectSchema<typeof PUBLISH, undefined>>;

export const WATCH = {
  WATCH_HOST: text('127.0.0.1'),
  WATCH_PORT: whole(PORTS.watcher, 0, 65_535),
  WATCH_INTERVAL: whole(30, 0, 86_400),
  REBUILD_TOKEN: v.optional(secret),
};

export const SETTINGS: v.ObjectEntries = {
  ...API,
  ...RAZORPAY_SETTINGS,
  ...CASHFREE_SETTINGS,
  ...SITE,
  ...PUBLISH,
  ...WATCH,
};

/** Variables of other programs that may be in the file, because PUBLISH_AFTER or pg_dump reads them. */
const OTHERS = /^(AWS|PG|NODE|SSL)_?[A-Z_]+$/;

/** Returns a line for each name that is no setting of the shop. */
export const unknownSettings = (names: readonly string[]): string[] =>
  names
    .filter((name) => !Object.hasOwn(SETTINGS, name) && !OTHERS.test(name))
    .map((name) => `${name} is no setting of the shop.`);

/** Returns a line for each invalid setting. None is required, because each program needs only some. */
export const wrongSettings = (environment: Environment): string[] =>
  problemsOf(v.partial(v.object(SETTINGS)).entries, environment);

type Parsed = v.InferOutput<v.ObjectSchema<typeof API, undefined>>;

/** Without PAYMENT_PROVIDERS it is the sandbox, unless that is off. */
function providersIn({ PAYMENT_PROVIDERS, SANDBOX_GATEWAY }: Parsed): readonly string[] {
  if (PAYMENT_PROVIDERS.length > 0) return PAYMENT_PROVIDERS;
  return SANDBOX_GATEWAY === 'off' ? [] : ['sandbox'];
}

/** Emails go to a mail server, or as files into a folder for development. */
export type Mail =
  | { readonly via: 'smtp'; readonly url: string; readonly from: string }
  | { readonly via: 'files'; readonly folder: string };

/** Without a mail server, emails are files beside the database; in production, or in memory, none. */
function mailIn({ SMTP_URL, MAIL_FROM, NODE_ENV, DATABASE }: Parsed): Mail | undefined {
  if (SMTP_URL !== undefined && MAIL_FROM !== undefined)
    return { via: 'smtp', url: SMTP_URL, from: MAIL_FROM };
  if (NODE_ENV === 'production' || DATABASE === ':memory:') return undefined;
  return { via: 'files', folder: isPostgres(DATABASE) ? '.data/mail' : join(dirname(DATABASE), 'mail') };
}

/** Returns the value of Strict-Transport-Security; undefined for none, as on a developer's machine. */
const hstsAt = (address: string, value: string): string | undefined =>
  value === 'off' || !address.startsWith('https:') ? undefined : value;

/** Returns the settings of the API. @throws SettingsError with a line for each invalid setting */
export function readSettings(environment: Environment) {
  const env = parseSettings(API, environment);
  if (env.SMTP_URL !== undefined && env.MAIL_FROM === undefined)
    throw new SettingsError('MAIL_FROM: must be set where SMTP_URL is: the address from which emails come');
  if (env.NODE_ENV === 'production' && env.SANDBOX_GATEWAY !== 'on' && providersIn(env).includes('sandbox'))
    throw new SettingsError(
      'SANDBOX_GATEWAY: must be on in production where PAYMENT_PROVIDERS names the sandbox, or names nothing. With it, customers can mark their own orders as paid, which is for rehearsals only. Otherwise name a real provider, or set SANDBOX_GATEWAY=off to take no payments.',
    );
  const given: Environment = givenIn(environment);
  const apiOrigin = env.API_ORIGIN ?? (given.PUBLIC_API_HOST && new URL(env.PUBLIC_API_HOST).origin);
  return {
    port: env.PORT,
    host: env.HOST,
    database: env.DATABASE,
    catalogue: env.CATALOGUE,
    siteOrigins: env.SITE_ORIGIN,
    /** undefined: the listening port on localhost */
    apiOrigin,
    hsts: hstsAt(apiOrigin ?? '', env.HSTS),
    paymentProviders: providersIn(env),
    autoRefund: env.AUTO_REFUND,
    confirmCash: env.CONFIRM_CASH,
    /** undefined: no emails are sent */
    mail: mailIn(env),
    mailProvider: env.MAIL_PROVIDER,
    dailyEmailHour: env.DAILY_EMAIL_HOUR,
    /** Where the payment providers find their keys. Never logged, never sent. */
    environment: given,
    metricsToken: env.METRICS_TOKEN,
    trustedProxies: env.TRUST_PROXY,
    limitFactor: env.LIMIT_FACTOR,
    /** Orders per page, how long an order may wait for its payment (ms), and what its number begins with. */
    orders: {
      listed: 50,
      payableFor: env.PENDING_DAYS,
      prefix: env.ORDER_PREFIX && `${env.ORDER_PREFIX.toUpperCase()}-`,
    },
    hashing: {
      /** One core is left for all other requests. */
      atOnce: availableParallelism() > 2 ? 2 : 1,
      /** OWASP's minimum for argon2id on one lane: KiB of memory, and passes over it. */
      cost: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
    },
    publishing: { hook: env.PUBLISH_HOOK, token: env.REBUILD_TOKEN },
    /** In ms. `limit` is for requests that are still running when a stopping API accepts no more. */
    stopping: { delay: env.STOP_DELAY * SECOND, limit: 4 * SECOND },
    admin: env.ADMIN,
  };
}

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/** Returns what the headers of the site depend on. @throws SettingsError */
export function readSiteSettings(environment: Environment) {
  const env = parseSettings(SITE, environment);
  const { origin: apiOrigin, protocol } = new URL(env.PUBLIC_API_HOST);
  return {
    apiOrigin,
    /** Whether the API's own address is http. Then the shop runs on a local machine, not on the web. */
    allowsHttp: protocol === 'http:',
    metaPolicy: env.CSP_META,
    hsts: hstsAt(env.PUBLIC_API_HOST, env.HSTS),
    /** Whether the shop works offline. If not, an installed service worker removes itself. */
    worker: env.PUBLIC_SERVICE_WORKER,
  };
}

export type SiteSettings = Readonly<ReturnType<typeof readSiteSettings>>;

/** The base address of the API for the build. */
export const apiBaseOf = (env: Environment): string =>
  `${withoutEndSlashes(env.PUBLIC_API_HOST || LOCAL_API)}/api/v1`;

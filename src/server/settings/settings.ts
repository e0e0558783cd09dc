import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { withoutEndSlashes } from '#domain/url.ts';
import { isNetwork } from '#server/http/caller.ts';
import { DAY, SECOND } from '#server/process/clock.ts';
import { type Environment, givenIn, parseSettings, problemsOf, SettingsError } from './parse.ts';

/*
 * Every setting, by the programs that read it: its name, its schema and its default. shop.env.example explains each
 * to owners; a test compares the names. `npm run doctor` hides the values of names with SECRET or TOKEN.
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

const count = (fallback: number) => whole(fallback, 1, 1_000_000_000);

const commaList = (fallback: string) =>
  v.pipe(
    text(fallback),
    v.transform((value) => value.split(',').map((entry) => entry.trim())),
    v.filterItems((entry) => entry !== ''),
  );

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  v.picklist(names, `must be ${names.join(' or ')}`);

const onOff = oneOf(['on', 'off']);
const trueFalse = oneOf(['true', 'false']);

const isOn = (fallback: 'on' | 'off') =>
  v.pipe(
    v.optional(onOff, fallback),
    v.transform((value) => value === 'on'),
  );

const isTrue = (fallback: 'true' | 'false') =>
  v.pipe(
    v.optional(trueFalse, fallback),
    v.transform((value) => value === 'true'),
  );

/** A secret that programs share with each other or with staff. */
const secret = v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'));

/** A key from a payment provider. */
const key = v.pipe(v.string('is missing'), v.trim(), v.minLength(8, 'must be the whole key'));

const isUrl = (address: string, schemes: RegExp): boolean =>
  URL.canParse(address) && schemes.test(new URL(address).protocol);

const addressOr = (error: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check((address) => isUrl(address, /^https?:$/), error),
    v.transform(withoutEndSlashes),
  );

const webAddress = addressOr('must be an address such as https://api.shop.example');

const NO_ORIGIN = 'must be an origin such as https://shop.example';

const origin = v.pipe(
  addressOr(NO_ORIGIN),
  v.check((address) => new URL(address).origin === address, NO_ORIGIN),
);

/** The address of a provider's API: its own, or a fake on this machine. */
const providerAddress = (own: string) =>
  v.pipe(
    v.optional(v.string(), own),
    v.check(
      (address) =>
        isUrl(address, /^https:$/) ||
        (isUrl(address, /^http:$/) &&
          ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)),
      'must be https, or an address of this computer',
    ),
    v.transform(withoutEndSlashes),
  );

export const isPostgres = (address: string): boolean => /^postgres(?:ql)?:\/\//.test(address);

/** Other schemes, such as `mysql:`, are not supported. A single letter before the colon is a Windows drive. */
const isDatabase = (address: string): boolean =>
  isPostgres(address) ? URL.canParse(address) : !/^[a-z][a-z\d+.-]+:/i.test(address);

/** The default of PUBLIC_API_HOST. On localhost the site calls this API, whatever it was built for. */
export const LOCAL_API = 'http://localhost:8044';

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

/** Lets the API request publications from the watcher. */
const REBUILD_TOKEN = v.optional(secret);

const API = {
  ...BOTH,
  /** production: the shop is live. Programs then refuse what only a trial may do. */
  NODE_ENV: v.optional(v.string()),
  /** The sites that may call from a browser. Payments return to the first where they came from none of them. */
  SITE_ORIGIN: v.pipe(
    commaList('http://localhost:4321,http://127.0.0.1:4321'),
    v.array(origin),
    v.minLength(1, 'must name an origin'),
  ),
  API_ORIGIN: v.optional(origin),
  DATABASE: v.pipe(
    text('.data/shop.sqlite'),
    v.check(isDatabase, 'must be a file, :memory: or postgres://user@host/name'),
  ),
  CATALOGUE: text('scripts/demo'),
  HOST: v.optional(v.pipe(v.string(), v.trim())),
  PORT: whole(8044, 0, 65_535),
  TRUST_PROXY: v.pipe(
    commaList(''),
    v.array(v.pipe(v.string(), v.check(isNetwork, 'must be an address or a network such as 10.0.0.0/8'))),
  ),
  ADMIN: isOn('off'),
  PUBLISH_HOOK: v.optional(webAddress),
  REBUILD_TOKEN,
  PAYMENT_PROVIDERS: commaList(''),
  SANDBOX_GATEWAY: v.optional(onOff),
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (address) => isUrl(address, /^smtps?:$/),
        'must be an address such as smtps://user:password@mail.example:465',
      ),
    ),
  ),
  MAIL_FROM: v.optional(
    v.pipe(v.string(), v.trim(), v.email('must be an address such as orders@shop.example')),
  ),
  MAIL_PROVIDER: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'must be at most 100 characters'))),
  /** The hour in India. */
  DAILY_EMAIL_HOUR: whole(7, 0, 23),
  /** Whether a payment for an order that no longer needs it is refunded without the staff. */
  AUTO_REFUND: isOn('off'),
  /** Whether cash orders of accounts with an unconfirmed email wait until it is confirmed, or the staff have called. */
  CONFIRM_CASH: isOn('off'),
  PENDING_DAYS: whole(2, 1, 365),
  ORDER_PREFIX: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.toUpperCase(),
      v.regex(/^[A-Z]{1,4}$/, 'must be 1 to 4 letters'),
      v.transform((letters) => `${letters}-`),
    ),
  ),
  METRICS_TOKEN: v.optional(secret),
  ORDERS_LISTED: count(50),
  /** One core is left for all other requests. */
  HASHES_AT_ONCE: whole(availableParallelism() > 2 ? 2 : 1, 1, 64),
  HASH_QUEUE: whole(50, 0, 100_000),
  LIMIT_FACTOR: whole(1, 1, 1_000_000),
  /** In seconds. A stopping API answers /readyz with 503 for this time, until proxies send no more requests. */
  STOP_DELAY: whole(0, 0, 600),
  /** In seconds: how long running requests may take after that. */
  STOP_LIMIT: whole(4, 1, 600),
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
  /** Whether Cashfree has enabled Order Pay for the account. UPI inside the shop needs it. */
  CASHFREE_ORDER_PAY: isOn('off'),
};

/** Read by the build of the site. Only settings that begin with PUBLIC_ reach a page. */
export const SITE = {
  ...BOTH,
  /** The hosts that a payment form may be posted to. None: any https host. */
  PUBLIC_PAYMENT_HOSTS: v.pipe(
    commaList(''),
    v.array(
      v.pipe(
        v.string(),
        v.regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i, 'must be hosts with commas between'),
      ),
    ),
  ),
  /** passthrough: images come from the API's addresses, for an image CDN there. */
  PUBLIC_IMAGES: v.optional(oneOf(['encode', 'passthrough']), 'encode'),
  PUBLIC_SERVICE_WORKER: isOn('on'),
  /** Whether there is the page /api-test. Unset: there is, unless NODE_ENV=production. */
  PUBLIC_API_TEST: v.optional(trueFalse),
  /** Whether each page says that this is a demonstration shop. */
  PUBLIC_DEMO: isTrue('false'),
  /** Whether every page contains its policy, for hosts that cannot send custom headers. */
  CSP_META: isTrue('false'),
  /** Overrides the API's own list of capabilities (src/domain/capabilities.ts). */
  PUBLIC_IDEMPOTENCY_KEYS: v.optional(trueFalse),
  PUBLIC_ORDER_LINES: v.optional(trueFalse),
};

/** Read by `npm run release`, `npm run build` and the watcher. */
export const PUBLISH = {
  PUBLISH_DIR: text('releases'),
  /** A command after each switch to another release. */
  PUBLISH_AFTER: text(''),
  PRECOMPRESS: isTrue('true'),
  /** Where `npm run build` writes the site. */
  OUT_DIR: text('dist'),
};

export type PublishSettings = v.InferOutput<v.ObjectSchema<typeof PUBLISH, undefined>>;

export const WATCH = {
  WATCH_HOST: text('127.0.0.1'),
  WATCH_PORT: whole(8055, 0, 65_535),
  /** Seconds between two checks of the catalogue. 0: the watcher publishes only on request. */
  WATCH_INTERVAL: whole(30, 0, 86_400),
  REBUILD_TOKEN,
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

/** Returns a line for each invalid setting. Any may be missing, because only some programs need it. */
export const wrongSettings = (environment: Environment): string[] => {
  const given = givenIn(environment);
  return problemsOf(
    Object.fromEntries(Object.entries(SETTINGS).filter(([name]) => Object.hasOwn(given, name))),
    given,
  );
};

type Parsed = v.InferOutput<v.ObjectSchema<typeof API, undefined>>;

/** Returns a line for each invalid combination of settings. */
function forbiddenIn(env: Parsed): string[] {
  const isLive = env.NODE_ENV === 'production';
  const problems: string[] = [];
  if (env.SMTP_URL !== undefined && env.MAIL_FROM === undefined)
    problems.push('MAIL_FROM: must be set where SMTP_URL is: the address from which emails come');
  if (isLive && env.SANDBOX_GATEWAY !== 'on' && providersIn(env).includes('sandbox'))
    problems.push(
      'SANDBOX_GATEWAY: must be on in production where PAYMENT_PROVIDERS names the sandbox, or names nothing. With it, customers can mark their own orders as paid, which is for rehearsals only. Otherwise name a real provider, or set SANDBOX_GATEWAY=off to take no payments.',
    );
  return problems;
}

/** Without a named payment method it is the sandbox, unless that is off. */
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
  const forbidden = forbiddenIn(env);
  if (forbidden.length > 0) throw new SettingsError(forbidden);
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
      listed: env.ORDERS_LISTED,
      payableFor: env.PENDING_DAYS * DAY,
      prefix: env.ORDER_PREFIX,
    },
    /** The cost is OWASP's minimum for argon2id on one lane: KiB of memory, and passes over it. */
    hashing: {
      atOnce: env.HASHES_AT_ONCE,
      queue: env.HASH_QUEUE,
      cost: { memoryCost: 19_456, timeCost: 2 },
    },
    publishing: { hook: env.PUBLISH_HOOK, token: env.REBUILD_TOKEN },
    /** ms */
    stopping: { delay: env.STOP_DELAY * SECOND, limit: env.STOP_LIMIT * SECOND },
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

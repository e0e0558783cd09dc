import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { withoutEndSlashes } from '#domain/url.ts';
import { isNetwork } from '#server/http/client-address.ts';
import { type Environment, givenIn, parseSettings, problemsOf, SettingsError } from './parse.ts';

/*
 * Every setting, by the programs that read it: its name, what it may be, and its default. shop.env.example explains
 * each to owners; a test compares the names. A secret has SECRET or TOKEN in its name, so that `npm run doctor` hides it.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/* The kinds of values. */

const text = (fallback: string) => v.pipe(v.optional(v.string(), fallback), v.trim());

const whole = (fallback: number, least: number, most: number) =>
  v.pipe(
    text(String(fallback)),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
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

const isOn = (fallback: 'on' | 'off') =>
  v.pipe(
    v.optional(onOff, fallback),
    v.transform((value) => value === 'on'),
  );

const trueFalse = oneOf(['true', 'false']);

const isTrue = (fallback: 'true' | 'false') =>
  v.pipe(
    v.optional(trueFalse, fallback),
    v.transform((value) => value === 'true'),
  );

/** A secret that programs share, or somebody must know. */
const secret = v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'));

/** A key that a provider of payments has given. */
const key = v.pipe(v.string('is missing'), v.trim(), v.minLength(8, 'must be the whole key'));

const isUrl = (address: string, schemes: RegExp): boolean =>
  URL.canParse(address) && schemes.test(new URL(address).protocol);

const addressOr = (mistake: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check((address) => isUrl(address, /^https?:$/), mistake),
    v.transform(withoutEndSlashes),
  );

const webAddress = addressOr('must be an address such as https://api.shop.example');

const NO_ORIGIN = 'must be an origin such as https://shop.example';

const origin = v.pipe(
  addressOr(NO_ORIGIN),
  v.check((address) => new URL(address).origin === address, NO_ORIGIN),
);

/** Where a provider's API is: its own address, or a fake on this computer. */
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

/** No other scheme, such as `mysql:`, is supported. A single letter before the colon is a Windows drive. */
const isDatabase = (address: string): boolean =>
  isPostgres(address) ? URL.canParse(address) : !/^[a-z][a-z\d+.-]+:/i.test(address);

/* The table. */

/** The default of PUBLIC_API_HOST. On localhost the site calls this API, whatever it was built for. */
export const LOCAL_API = 'http://localhost:8044';

/** What the API and the site read. */
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

/** With it the API may ask the watcher to publish. */
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
  /** The public address in the addresses of pictures and payments, if it is not PUBLIC_API_HOST. */
  API_ORIGIN: v.optional(origin),
  DATABASE: v.pipe(
    text('.data/shop.sqlite'),
    v.check(isDatabase, 'must be a file, :memory: or postgres://user@host/name'),
  ),
  /** The folder with which the first start fills the database. */
  CATALOGUE: text('scripts/demo'),
  HOST: v.optional(v.pipe(v.string(), v.trim())),
  PORT: whole(8044, 0, 65_535),
  /** The proxies whose X-Forwarded-For counts: addresses and networks. */
  TRUST_PROXY: v.pipe(
    commaList(''),
    v.array(v.pipe(v.string(), v.check(isNetwork, 'must be an address or a network such as 10.0.0.0/8'))),
  ),
  ADMIN: isOn('off'),
  /** The address of the watcher that publishes this catalogue. */
  PUBLISH_HOOK: v.optional(webAddress),
  REBUILD_TOKEN,
  /** The names of the payment methods, in the order of the payment form. */
  PAYMENT_PROVIDERS: commaList(''),
  /** Whether the sandbox takes the payments where PAYMENT_PROVIDERS names nothing. */
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
  /** Who carries the emails, as the privacy policy names it. */
  MAIL_PROVIDER: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'must be at most 100 characters'))),
  /** In India. */
  DAILY_EMAIL_HOUR: whole(7, 0, 23),
  /** Whether money that came for an order which no longer waited for it goes back at once, without the staff. */
  REFUND_BY_ITSELF: isOn('off'),
  PENDING_DAYS: whole(2, 1, 365),
  /** Whoever has it may read /metrics. Unset: nobody may. */
  METRICS_TOKEN: v.optional(secret),
  /** How many orders an answer of GET /orders has. */
  ORDERS_LISTED: count(50),
  HASHES_AT_ONCE: whole(2, 1, 64),
  HASH_QUEUE: whole(50, 0, 100_000),
  /** Seconds for which a stopping API still takes requests while /readyz is a 503, so that a proxy sends it no more. */
  STOP_DELAY: whole(0, 0, 600),
  /** Seconds that the requests under way may take after that. */
  STOP_LIMIT: whole(4, 1, 600),
  /** Whether testers may switch faults on. */
  FAULTS: isOn('off'),
};

interface LimitRow {
  readonly most: number;
  /** ms */
  readonly every: number;
  /** Whether `most` holds for any stretch of that time. It costs up to `most` questions to the store. */
  readonly sliding?: true;
  /** Whether its keys are addresses. It then holds for their networks, too. */
  readonly byAddress?: true;
}

/** A new limit is a line here and its use, `shop.limiters.{name}`. Its setting is named after it: LIMIT_SIGN_IN. */
export const LIMITS = {
  // Wrong passwords for an account, from devices it does not know and from those it knows.
  signIn: { most: 10, every: 15 * MINUTE, sliding: true },
  signInDevice: { most: 10, every: 15 * MINUTE, sliding: true },
  // Wrong passwords from an address, not counting devices that accounts know.
  signInAddress: { most: 1_000, every: 15 * MINUTE, byAddress: true },
  signInAddressDay: { most: 10_000, every: DAY, byAddress: true },
  // Sign-ins of an account that succeed.
  signIns: { most: 30, every: 15 * MINUTE },
  // Wrong codes of the second factor.
  signInCode: { most: 5, every: 15 * MINUTE, sliding: true },
  // Also of an email that is taken.
  register: { most: 3_000, every: HOUR, byAddress: true },
  // Links to choose a new password, for an email and from an address.
  reset: { most: 5, every: HOUR },
  resetAddress: { most: 1_000, every: HOUR, byAddress: true },
  // Wrong contacts for an order, and lookups from an address that found no order.
  track: { most: 5, every: 15 * MINUTE, sliding: true },
  orderMisses: { most: 3_000, every: HOUR, byAddress: true },
  // Files of everything about a user, and emails to delete the account.
  personalData: { most: 10, every: HOUR },
  // Messages of the contact form, from an email and from an address.
  contact: { most: 5, every: HOUR },
  contactAddress: { most: 1_000, every: HOUR, byAddress: true },
  // Counts the stored orders of a user.
  orders: { most: 20, every: HOUR },
} as const satisfies Record<string, LimitRow>;

export type LimitName = keyof typeof LIMITS;

export type Limits = Readonly<Record<LimitName, LimitRow>>;

const isLimitName = (name: string): name is LimitName => Object.hasOwn(LIMITS, name);

/** The same for each limit. */
export function forEachLimit<T>(make: (row: LimitRow, name: LimitName) => T): Readonly<Record<LimitName, T>>;
export function forEachLimit<T>(make: (row: LimitRow, name: LimitName) => T): Readonly<Record<string, T>> {
  const names = Object.keys(LIMITS).filter(isLimitName);
  return Object.fromEntries(names.map((name) => [name, make(LIMITS[name], name)]));
}

/** 'LIMIT_SIGN_IN' of 'signIn' */
export const limitSetting = (name: LimitName): string =>
  `LIMIT_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;

const LIMIT_ROWS = Object.fromEntries(
  Object.values(forEachLimit(({ most }, name) => [limitSetting(name), count(most)] as const)),
);

/** Each provider's are checked where PAYMENT_PROVIDERS names it. */
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
  /** Whether Cashfree has switched Order Pay on for the account. UPI inside the shop needs it. */
  CASHFREE_ORDER_PAY: isOn('off'),
};

/** What the pages, headers and policies of the built site depend on. Only what begins with PUBLIC_ reaches a page. */
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
  /** passthrough: pictures are shown at the API's addresses, for an image CDN there. */
  PUBLIC_IMAGES: v.optional(oneOf(['encode', 'passthrough']), 'encode'),
  PUBLIC_SERVICE_WORKER: isOn('on'),
  /** Whether there is the page /api-test. Unset: there is, unless NODE_ENV=production. */
  PUBLIC_API_TEST: v.optional(trueFalse),
  /** Whether each page says that this is a demonstration shop. */
  PUBLIC_DEMO: isTrue('false'),
  /** Whether every page contains its policy, for hosts that cannot send custom headers. */
  CSP_META: isTrue('false'),
  /** Each decides in place of the API's own list of capabilities (src/domain/capabilities.ts). */
  PUBLIC_IDEMPOTENCY_KEYS: v.optional(trueFalse),
  PUBLIC_ORDER_LINES: v.optional(trueFalse),
};

/** The settings of `npm run release`, `npm run build` and the watcher. */
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
  /** Seconds between two looks at the catalogue. 0: the watcher publishes only what it is asked for. */
  WATCH_INTERVAL: whole(30, 0, 86_400),
  REBUILD_TOKEN,
};

export const SETTINGS: v.ObjectEntries = {
  ...API,
  ...LIMIT_ROWS,
  ...RAZORPAY_SETTINGS,
  ...CASHFREE_SETTINGS,
  ...SITE,
  ...PUBLISH,
  ...WATCH,
};

/** Variables of other programs that may be in the file, because PUBLISH_AFTER or pg_dump reads them. */
const OTHERS = /^(AWS|PG|NODE|SSL)_?[A-Z_]+$/;

/** A line for each name that is no setting of the shop. */
export const unknownSettings = (names: readonly string[]): string[] =>
  names
    .filter((name) => !Object.hasOwn(SETTINGS, name) && !OTHERS.test(name))
    .map((name) => `${name} is no setting of the shop.`);

/** What is wrong with the settings that are set, a line for each. What only some programs need may be missing. */
export const wrongSettings = (environment: Environment): string[] => {
  const given = givenIn(environment);
  return problemsOf(
    Object.fromEntries(Object.entries(SETTINGS).filter(([name]) => Object.hasOwn(given, name))),
    given,
  );
};

/* What programs make of them. */

type Parsed = v.InferOutput<v.ObjectSchema<typeof API, undefined>>;

/** What is wrong with several settings together. */
function forbiddenIn(env: Parsed): string[] {
  const isLive = env.NODE_ENV === 'production';
  const problems: string[] = [];
  if (env.SMTP_URL !== undefined && env.MAIL_FROM === undefined)
    problems.push('MAIL_FROM: must be set where SMTP_URL is: the address from which emails come');
  if (isLive && env.FAULTS) problems.push('FAULTS: must be off in production');
  if (isLive && env.SANDBOX_GATEWAY !== 'on' && providersIn(env).includes('sandbox'))
    problems.push(
      'SANDBOX_GATEWAY: must be on in production where PAYMENT_PROVIDERS names the sandbox, or names nothing. With it, whoever buys can mark the order as paid, which is for rehearsals only. Otherwise name a real provider, or set SANDBOX_GATEWAY=off to take no payments.',
    );
  return problems;
}

/** Where no way to be paid is named it is the sandbox, unless that is off. */
function providersIn({ PAYMENT_PROVIDERS, SANDBOX_GATEWAY }: Parsed): readonly string[] {
  if (PAYMENT_PROVIDERS.length > 0) return PAYMENT_PROVIDERS;
  return SANDBOX_GATEWAY === 'off' ? [] : ['sandbox'];
}

/** How emails leave the shop: by a mail server, or as files in a folder, for whoever works on the shop. */
export type Mail =
  | { readonly via: 'smtp'; readonly url: string; readonly from: string }
  | { readonly via: 'files'; readonly folder: string };

/** Without a mail server, emails are files beside the database; in production, and beside a database in memory, there are none. */
function mailIn({ SMTP_URL, MAIL_FROM, NODE_ENV, DATABASE }: Parsed): Mail | undefined {
  if (SMTP_URL !== undefined && MAIL_FROM !== undefined)
    return { via: 'smtp', url: SMTP_URL, from: MAIL_FROM };
  if (NODE_ENV === 'production' || DATABASE === ':memory:') return undefined;
  return { via: 'files', folder: isPostgres(DATABASE) ? '.data/mail' : join(dirname(DATABASE), 'mail') };
}

/** The value of Strict-Transport-Security at an address; undefined for none, as of a shop on somebody's own computer. */
const hstsAt = (address: string, value: string): string | undefined =>
  value === 'off' || !address.startsWith('https:') ? undefined : value;

/** What the API is started with. @throws SettingsError with a line for each wrong setting */
export function readSettings(environment: Environment) {
  const env = parseSettings(API, environment);
  const most: Readonly<Record<string, number>> = parseSettings(LIMIT_ROWS, environment);
  const forbidden = forbiddenIn(env);
  if (forbidden.length > 0) throw new SettingsError(forbidden);
  const given: Environment = givenIn(environment);
  const apiOrigin = env.API_ORIGIN ?? (given.PUBLIC_API_HOST && new URL(env.PUBLIC_API_HOST).origin);
  const limits: Limits = forEachLimit((row, name) => ({
    ...row,
    most: most[limitSetting(name)] ?? row.most,
  }));
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
    refundsItself: env.REFUND_BY_ITSELF,
    /** undefined: no emails are sent */
    mail: mailIn(env),
    mailProvider: env.MAIL_PROVIDER,
    dailyEmailHour: env.DAILY_EMAIL_HOUR,
    /** Where the providers of payments find their keys. Never logged, never sent. */
    environment: given,
    metricsToken: env.METRICS_TOKEN,
    trustedProxies: env.TRUST_PROXY,
    limits,
    /** How many orders a user sees, and how long an order may wait for its payment, in ms. */
    orders: { listed: env.ORDERS_LISTED, payableFor: env.PENDING_DAYS * DAY },
    /** The cost is OWASP's minimum for argon2id on one lane: KiB of memory, and passes over it. */
    hashing: {
      atOnce: env.HASHES_AT_ONCE,
      queue: env.HASH_QUEUE,
      cost: { memoryCost: 19_456, timeCost: 2 },
    },
    publishing: { hook: env.PUBLISH_HOOK, token: env.REBUILD_TOKEN },
    /** ms */
    stopping: { delay: env.STOP_DELAY * SECOND, limit: env.STOP_LIMIT * SECOND },
    faults: env.FAULTS,
    admin: env.ADMIN,
  };
}

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/** What the headers of the site depend on. @throws SettingsError */
export function readSiteSettings(environment: Environment) {
  const env = parseSettings(SITE, environment);
  const { origin: apiOrigin, protocol } = new URL(env.PUBLIC_API_HOST);
  return {
    apiOrigin,
    paymentHosts: env.PUBLIC_PAYMENT_HOSTS,
    /** Whether the API's own address is http: then the shop runs on somebody's own computer, not on the web. */
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

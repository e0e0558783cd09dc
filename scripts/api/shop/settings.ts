import { dirname, join } from 'node:path';
import { isPostgres } from '#scripts/api/db/open-database.ts';
import { hstsAt } from '#scripts/program/hsts.ts';
import { type Environment, givenIn, parseSettings, SettingsError } from '#scripts/program/setting.ts';
import { forEachLimit, type Limits } from './limits.ts';
import { API_SETTINGS, LIMIT_SETTINGS } from './setting-rows.ts';

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

export interface Hashing {
  readonly atOnce: number;
  /** How many may wait for their turn. */
  readonly queue: number;
  /** How much work argon2 does: KiB of memory, and passes over it. */
  readonly cost: { readonly memoryCost: number; readonly timeCost: number };
}

/** OWASP's minimum for argon2id on one lane. */
const HASH_COST = { memoryCost: 19_456, timeCost: 2 };

/** How letters leave the shop: by a mail server, or as files in a folder, for whoever works on the shop. */
export type Mail =
  | { readonly via: 'smtp'; readonly url: string; readonly from: string }
  | { readonly via: 'files'; readonly folder: string };

export interface Settings {
  readonly port: number;
  readonly host: string | undefined;
  /** A file, `:memory:` or `postgres://…`. */
  readonly database: string;
  /** The folder of the demo catalogue. */
  readonly catalogue: string;
  /** The sites that may call from a browser. The gateway returns to the first where a payment came from none of them. */
  readonly siteOrigins: readonly string[];
  /** The public origin in the addresses of images and of the gateway; undefined for the listening port on localhost */
  readonly apiOrigin: string | undefined;
  /** The value of Strict-Transport-Security; undefined for none */
  readonly hsts: string | undefined;
  /** Signs what the sandbox and the shop send each other. Where it is not set, it is made once and stored in the database. */
  readonly gatewaySecret: string | undefined;
  /** The names of the ways to be paid. With `sandbox`, whoever buys decides whether the order was paid. */
  readonly paymentProviders: readonly string[];
  /** Whether money that came for an order which no longer waited for it goes back at once, without the staff. */
  readonly refundsItself: boolean;
  /** undefined: no letters are sent */
  readonly mail: Mail | undefined;
  /** Who carries the letters, as the privacy policy names it; undefined where nobody has said it */
  readonly mailCarrier: string | undefined;
  /** The hour of the day in India at which the owners get their letter of the day. */
  readonly dailyLetterHour: number;
  /** Where the providers of payments find their keys. Never logged, never sent. */
  readonly environment: Environment;
  /** Whoever has it may read /metrics. undefined: nobody may */
  readonly metricsToken: string | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly string[];
  readonly limits: Limits;
  readonly orders: {
    /** How many of his orders a user sees. The newest are shown. */
    readonly listed: number;
    /** How long an order may wait for its payment, in ms. */
    readonly payableFor: number;
  };
  readonly hashing: Hashing;
  /** The hook of the watcher that publishes this catalogue. */
  readonly publishing: {
    /** Its address; undefined where no watcher runs */
    readonly hook: string | undefined;
    readonly token: string | undefined;
  };
  /** How the server stops, in ms. */
  readonly stopping: {
    /** For how long it still takes requests while /readyz is a 503, so that a proxy sends it no more. */
    readonly delay: number;
    /** How long the requests that are under way then may take. */
    readonly limit: number;
  };
  /** Whether testers may switch faults on. */
  readonly faults: boolean;
  /** Whether the staff's pages are served at /office. */
  readonly office: boolean;
}

type Parsed = ReturnType<typeof parseSettings<typeof API_SETTINGS>>;

interface Rule {
  readonly allows: (environment: Parsed) => boolean;
  readonly refusal: string;
}

/** What must hold of several settings together. */
const RULES: readonly Rule[] = [
  {
    allows: ({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined,
    refusal: 'MAIL_FROM: must be set where SMTP_URL is: the address from which letters come',
  },
];

/** What else must hold where NODE_ENV is production. */
const PRODUCTION_RULES: readonly Rule[] = [
  { allows: ({ FAULTS }) => FAULTS === 'off', refusal: 'FAULTS: must be off in production' },
  {
    allows: (env) => env.SANDBOX_GATEWAY === 'on' || !providersIn(env).includes('sandbox'),
    refusal:
      'SANDBOX_GATEWAY: must be on in production where PAYMENT_PROVIDERS names the sandbox, or names nothing. With it, whoever buys can mark the order as paid, which is for rehearsals only. Otherwise name a real provider, or set SANDBOX_GATEWAY=off to take no payments.',
  },
];

/** The ways to be paid, in the order of the payment form. Where none is named it is the sandbox, unless that is off. */
function providersIn({ PAYMENT_PROVIDERS = [], SANDBOX_GATEWAY }: Parsed): readonly string[] {
  if (PAYMENT_PROVIDERS.length > 0) return PAYMENT_PROVIDERS;
  return SANDBOX_GATEWAY === 'off' ? [] : ['sandbox'];
}

/** Without a mail server, letters are files beside the database; in production, and beside a database in memory, there are none. */
function mailIn({ SMTP_URL, MAIL_FROM, NODE_ENV, DATABASE }: Parsed): Mail | undefined {
  if (SMTP_URL !== undefined && MAIL_FROM !== undefined)
    return { via: 'smtp', url: SMTP_URL, from: MAIL_FROM };
  if (NODE_ENV === 'production' || DATABASE === ':memory:') return undefined;
  return { via: 'files', folder: isPostgres(DATABASE) ? '.data/mail' : join(dirname(DATABASE), 'mail') };
}

/** @throws SettingsError with a line for each wrong variable */
export function readSettings(environment: Environment): Settings {
  const given = givenIn(environment);
  const env = parseSettings({ ...LIMIT_SETTINGS, ...API_SETTINGS }, environment);
  const limits = parseSettings(LIMIT_SETTINGS, environment);
  const rules = env.NODE_ENV === 'production' ? [...RULES, ...PRODUCTION_RULES] : RULES;
  const forbidden = rules.filter(({ allows }) => !allows(env));
  if (forbidden.length > 0) throw new SettingsError(forbidden.map(({ refusal }) => refusal));
  const apiOrigin = env.API_ORIGIN ?? (given.PUBLIC_API_HOST && new URL(env.PUBLIC_API_HOST).origin);
  return {
    port: env.PORT,
    host: env.HOST,
    database: env.DATABASE,
    catalogue: env.CATALOGUE,
    siteOrigins: env.SITE_ORIGIN,
    apiOrigin,
    hsts: hstsAt(apiOrigin ?? '', env.HSTS),
    gatewaySecret: env.GATEWAY_SECRET,
    paymentProviders: providersIn(env),
    refundsItself: env.REFUND_BY_ITSELF === 'on',
    mail: mailIn(env),
    mailCarrier: env.MAIL_CARRIER,
    dailyLetterHour: env.DAILY_LETTER_HOUR,
    environment: given,
    metricsToken: env.METRICS_TOKEN,
    trustedProxies: env.TRUST_PROXY,
    limits: forEachLimit(({ variable, most, every, sliding = false }) => ({
      most: limits[variable] ?? most,
      every,
      sliding,
    })),
    orders: { listed: env.ORDERS_LISTED, payableFor: env.PENDING_DAYS * DAY },
    faults: env.FAULTS === 'on',
    office: env.OFFICE === 'on',
    stopping: { delay: env.STOP_DELAY * SECOND, limit: env.STOP_LIMIT * SECOND },
    publishing: { hook: env.PUBLISH_HOOK, token: env.REBUILD_TOKEN },
    hashing: { atOnce: env.HASHES_AT_ONCE, queue: env.HASH_QUEUE, cost: HASH_COST },
  };
}

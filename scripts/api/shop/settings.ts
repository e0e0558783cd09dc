import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { withoutEndSlashes } from '#domain/url.ts';
import { isPostgres } from '#scripts/api/db/open-database.ts';
import { isNetwork } from '#scripts/api/http/client-address.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import { forEachLimit, LIMITS, type Limits } from './limits.ts';

const SECOND = 1_000;

const text = (fallback: string) => v.pipe(v.optional(v.string(), fallback), v.trim());

const whole = (fallback: number, least: number, most: number) =>
  v.pipe(
    text(String(fallback)),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

const isOrigin = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) && new URL(address).origin === address;

const origin = v.pipe(
  v.string(),
  v.trim(),
  v.transform((address) => address.replace(/\/$/, '')),
  v.check(isOrigin, 'must be an origin such as https://shop.example'),
);

const list = (fallback: string) =>
  v.pipe(
    text(fallback),
    v.transform((value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    ),
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

const LimitsSchema = v.object(
  Object.fromEntries(Object.values(LIMITS).map(({ variable, most }) => [variable, count(most)])),
);

/** Every other setting of the API, by the name of its environment variable. */
const OthersSchema = v.object({
  PORT: whole(8044, 0, 65_535),
  HOST: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))),
  DATABASE: v.pipe(
    text('.data/shop.sqlite'),
    v.check(isDatabase, 'must be a file, :memory: or postgres://user@host/name'),
  ),
  CATALOGUE: v.pipe(text('scripts/catalogue'), v.nonEmpty('must be a folder')),
  SITE_ORIGIN: v.pipe(
    list('http://localhost:4321,http://127.0.0.1:4321'),
    v.array(origin),
    v.minLength(1, 'must name an origin'),
  ),
  API_ORIGIN: v.optional(origin),
  GATEWAY_SECRET: v.optional(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'))),
  SANDBOX_GATEWAY: v.optional(v.picklist(['on', 'off'], 'must be on or off')),
  PAYMENT_PROVIDERS: v.optional(list('')),
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (address) => URL.canParse(address) && /^smtps?:$/.test(new URL(address).protocol),
        'must be an address such as smtps://user:password@mail.example:465',
      ),
    ),
  ),
  MAIL_FROM: v.optional(
    v.pipe(v.string(), v.trim(), v.email('must be an address such as orders@shop.example')),
  ),
  REFUND_BY_ITSELF: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'off'),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'))),
  TRUST_PROXY: v.pipe(
    list(''),
    v.array(v.pipe(v.string(), v.check(isNetwork, 'must be an address or a network such as 10.0.0.0/8'))),
  ),
  ORDERS_LISTED: count(50),
  FAULTS: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'off'),
  PUBLISH_HOOK: v.optional(webAddress),
  REBUILD_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'))),
  OFFICE: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'off'),
  STOP_DELAY: whole(0, 0, 600),
  STOP_LIMIT: whole(4, 1, 600),
  NODE_ENV: v.optional(v.string()),
  HASHES_AT_ONCE: whole(2, 1, 64),
  HASH_QUEUE: whole(50, 0, 100_000),
});

const EnvironmentSchema = v.intersect([OthersSchema, LimitsSchema]);

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
  /** undefined for one that is made once and stored in the database */
  readonly gatewaySecret: string | undefined;
  /** The names of the ways to be paid. With `sandbox`, whoever buys decides whether the order was paid (faults 120). */
  readonly paymentProviders: readonly string[];
  /** Whether money that came for an order which no longer waited for it goes back at once, without the staff (faults 117). */
  readonly refundsItself: boolean;
  /** undefined: no letters are sent */
  readonly mail: Mail | undefined;
  /** Where the providers of payments find their keys. Never logged, never sent. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whoever has it may read /metrics. undefined: nobody may */
  readonly metricsToken: string | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly string[];
  readonly limits: Limits;
  readonly orders: {
    /** How many of his orders a user sees. The newest are shown. */
    readonly listed: number;
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
    /** How long the requests that are under way then may take (faults 93). */
    readonly limit: number;
  };
  /** Whether testers may switch faults on. */
  readonly faults: boolean;
  /** Whether the staff's pages are served at /office. */
  readonly office: boolean;
}

export class SettingsError extends ExplainedError {}

const REFUSED = 'The settings cannot be used:';

type Environment = v.InferOutput<typeof EnvironmentSchema>;

interface Rule {
  readonly allows: (environment: Environment) => boolean;
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
function providersIn({ PAYMENT_PROVIDERS = [], SANDBOX_GATEWAY }: Environment): readonly string[] {
  if (PAYMENT_PROVIDERS.length > 0) return PAYMENT_PROVIDERS;
  return SANDBOX_GATEWAY === 'off' ? [] : ['sandbox'];
}

/** Without a mail server, letters are files beside the database; in production, and beside a database in memory, there are none. */
function mailIn({ SMTP_URL, MAIL_FROM, NODE_ENV, DATABASE }: Environment): Mail | undefined {
  if (SMTP_URL !== undefined && MAIL_FROM !== undefined)
    return { via: 'smtp', url: SMTP_URL, from: MAIL_FROM };
  if (NODE_ENV === 'production' || DATABASE === ':memory:') return undefined;
  return { via: 'files', folder: isPostgres(DATABASE) ? '.data/mail' : join(dirname(DATABASE), 'mail') };
}

/** @throws SettingsError with a line for each wrong variable */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = v.safeParse(EnvironmentSchema, given);
  if (!parsed.success) {
    const lines = parsed.issues.map((issue) => `  ${v.getDotPath(issue)}: ${issue.message}`);
    throw new SettingsError([REFUSED, ...lines].join('\n'));
  }
  const env = parsed.output;
  const rules = env.NODE_ENV === 'production' ? [...RULES, ...PRODUCTION_RULES] : RULES;
  const forbidden = rules.filter(({ allows }) => !allows(env)).map(({ refusal }) => `  ${refusal}`);
  if (forbidden.length > 0) throw new SettingsError([REFUSED, ...forbidden].join('\n'));
  return {
    port: env.PORT,
    host: env.HOST,
    database: env.DATABASE,
    catalogue: env.CATALOGUE,
    siteOrigins: env.SITE_ORIGIN,
    apiOrigin: env.API_ORIGIN,
    gatewaySecret: env.GATEWAY_SECRET,
    paymentProviders: providersIn(env),
    refundsItself: env.REFUND_BY_ITSELF === 'on',
    mail: mailIn(env),
    environment: given,
    metricsToken: env.METRICS_TOKEN,
    trustedProxies: env.TRUST_PROXY,
    limits: forEachLimit(({ variable, most, every, sliding = false }) => ({
      most: env[variable] ?? most,
      every,
      sliding,
    })),
    orders: { listed: env.ORDERS_LISTED },
    faults: env.FAULTS === 'on',
    office: env.OFFICE === 'on',
    stopping: { delay: env.STOP_DELAY * SECOND, limit: env.STOP_LIMIT * SECOND },
    publishing: { hook: env.PUBLISH_HOOK, token: env.REBUILD_TOKEN },
    hashing: { atOnce: env.HASHES_AT_ONCE, queue: env.HASH_QUEUE, cost: HASH_COST },
  };
}

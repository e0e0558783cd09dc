import * as v from 'valibot';
import { OFFERS } from '#domain/offers.ts';
import { PUBLIC_API_HOST } from '#scripts/program/api-base.ts';
import { HSTS, hstsAt } from '#scripts/program/hsts.ts';
import {
  commaList,
  type Environment,
  onOff,
  parseSettings,
  type Setting,
  type Settings,
  trueFalse,
} from '#scripts/program/setting.ts';

const HOST = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;

/** What decides in the place of the API's list of offers. */
const OFFER_SETTINGS: Settings = Object.fromEntries(
  Object.values(OFFERS).flatMap((offer): [string, Setting][] =>
    'setting' in offer
      ? [
          [
            offer.setting,
            {
              schema: v.optional(trueFalse),
              meaning: `true: the pages use this of the API, false: they do not. Unset: as the API's own list says. ${offer.adds}`,
            },
          ],
        ]
      : [],
  ),
);

/** What the pages, the headers and the policies of the built site depend on. Only what begins with PUBLIC_ reaches a page. */
export const SITE_SETTINGS = {
  PUBLIC_API_HOST,
  PUBLIC_PAYMENT_HOSTS: {
    schema: v.pipe(
      commaList(''),
      v.array(v.pipe(v.string(), v.regex(HOST, 'must be hosts with commas between'))),
    ),
    meaning: 'The hosts that payment forms may be posted to, with commas between. Unset: any https host.',
  },
  PUBLIC_IMAGES: {
    schema: v.optional(v.picklist(['encode', 'passthrough'], 'must be encode or passthrough'), 'encode'),
    meaning: "passthrough: pictures are shown at the API's addresses, for an image CDN there.",
  },
  PUBLIC_SERVICE_WORKER: {
    schema: v.optional(onOff, 'on'),
    meaning: 'off: a shop without a service worker. Browsers that have it drop it.',
  },
  PUBLIC_API_TEST: {
    schema: v.optional(trueFalse),
    meaning: 'Whether there is the page /api-test, for testers. Unset: there is, unless NODE_ENV=production.',
  },
  PUBLIC_DEMO: {
    schema: v.optional(trueFalse, 'false'),
    meaning:
      'true: each page says that this is a demonstration shop. Only then may a shop with NODE_ENV=production have the address, the company or the grievance officer of the demo shop, as for a rehearsal. `npm run release -- --demo` sets it for that release.',
  },
  HSTS,
  CSP_META: {
    schema: v.optional(trueFalse, 'false'),
    meaning:
      'true: the content security policy stands in every page, too, for hosts that send no headers of yours.',
  },
} satisfies Settings;

export const ALL_SITE_SETTINGS: Settings = { ...SITE_SETTINGS, ...OFFER_SETTINGS };

/** The settings in the environment that the headers depend on. */
export interface SiteSettings {
  /** The origin of the API that the site was built for. */
  readonly apiOrigin: string;
  /** The hosts that a payment form may be posted to. If empty, any https host is allowed. */
  readonly paymentHosts: readonly string[];
  /** Whether the API's own address is http: then the shop runs on somebody's own computer, not on the web. */
  readonly allowsHttp: boolean;
  /** Whether every page contains its policy, for hosts that cannot send custom headers. */
  readonly metaPolicy: boolean;
  /** The value of Strict-Transport-Security; undefined for none, as of a shop on somebody's own computer. */
  readonly hsts: string | undefined;
  /** Whether the shop works offline. If not, an installed service worker removes itself. */
  readonly worker: boolean;
}

/** @throws SettingsError that names the variable */
export function readSiteSettings(environment: Environment): SiteSettings {
  const env = parseSettings(SITE_SETTINGS, environment);
  parseSettings(OFFER_SETTINGS, environment);
  const { origin, protocol } = new URL(env.PUBLIC_API_HOST);
  return {
    apiOrigin: origin,
    paymentHosts: env.PUBLIC_PAYMENT_HOSTS,
    allowsHttp: protocol === 'http:',
    metaPolicy: env.CSP_META === 'true',
    hsts: hstsAt(env.PUBLIC_API_HOST, env.HSTS),
    worker: env.PUBLIC_SERVICE_WORKER !== 'off',
  };
}

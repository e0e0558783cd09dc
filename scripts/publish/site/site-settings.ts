import { LOCAL_API } from '#scripts/build/api-base.ts';
import { BuildError } from '#scripts/program/explained-error.ts';

/** The settings in the environment that the headers depend on. */
export interface SiteSettings {
  /** The origin of the API that the site was built for. */
  readonly apiOrigin: string;
  /** The hosts that a payment form may be posted to. If empty, any https host is allowed (faults 54). */
  readonly paymentHosts: readonly string[];
  /** Whether the API's own address is http: then the shop runs on somebody's own computer, not on the web. */
  readonly allowsHttp: boolean;
  /** Whether every page contains its policy, for hosts that cannot send custom headers. */
  readonly metaPolicy: boolean;
  /** Whether the shop works offline. If not, an installed service worker removes itself (faults 90). */
  readonly worker: boolean;
}

const HOST = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;

/** @throws a BuildError that names the variable */
export function readSiteSettings(env: Readonly<Record<string, string | undefined>>): SiteSettings {
  const host = env.PUBLIC_API_HOST?.trim() || LOCAL_API;
  if (!/^https?:\/\//.test(host) || !URL.canParse(host)) {
    throw new BuildError(
      `PUBLIC_API_HOST must be an address such as https://api.shop.example (is '${host}').`,
    );
  }
  const paymentHosts = (env.PUBLIC_PAYMENT_HOSTS ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const wrong = paymentHosts.find((name) => !HOST.test(name));
  if (wrong !== undefined) {
    throw new BuildError(`PUBLIC_PAYMENT_HOSTS must be hosts with commas between (has '${wrong}').`);
  }
  const { origin, protocol } = new URL(host);
  return {
    apiOrigin: origin,
    paymentHosts,
    allowsHttp: protocol === 'http:',
    metaPolicy: env.CSP_META === 'true',
    worker: env.PUBLIC_SERVICE_WORKER !== 'off',
  };
}

import type { Check } from '#server/doctor/check.ts';
import { isReserved } from '#server/doctor/demo.ts';
import { providerProblems } from '#server/payments/providers/table.ts';
import { readSettings, wrongSettings } from '#server/settings/settings.ts';

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

export const SETTINGS_CHECKS: readonly Check[] = [
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

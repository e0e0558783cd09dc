import { createServer } from 'node:https';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StorageError } from '#server/db/errors.ts';
import { findAlerts } from '#server/doctor/alerts.ts';
import { certificateOf, PROBES } from '#server/doctor/probes.ts';
import { recheckProviders } from '#server/payments/provider-errors.ts';
import { DAY, HOUR, MINUTE } from '#server/process/clock.ts';
import { readSettings } from '#server/settings/settings.ts';
import { adminApi, mainText } from '#tests/server/support/admin.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { providerShop } from '#tests/server/support/provider-shop.ts';
import { freePort, listenLocally } from '#tests/support/free-port.ts';
import { startCashfree } from '#tests/support/providers/cashfree.ts';
import { IDLE, startHook, TOKEN } from '#tests/support/watcher-hook.ts';

const metricsToken = 'a token for monitoring';

type Api = Pick<Awaited<ReturnType<typeof adminApi>>, 'ask' | 'services'>;

/** What a monitor outside gets. */
const health = async ({ ask }: Api) => {
  const { status, json } = await ask('/shop-health');
  return [status, json];
};

const metricsOf = async ({ ask }: Api) => (await ask('/metrics', { token: metricsToken })).text;

const found = async ({ services }: Api) => (await findAlerts(services)).map(({ name }) => name);

test('a mail server that is away is on the first page and in the metrics, until it accepts an email', async () => {
  const api = await emailsApi({ metricsToken });
  const [owner, packer] = [await api.staff('owner'), await api.staff('packer')];
  const first = async () => mainText((await owner.get('/admin')).text);
  expect(await first()).not.toContain('This does not work now');
  await api.server.close();
  const { token } = await api.customer();
  await api.placeOrder(token);
  await api.sendDue();
  api.pass(3 * HOUR);
  const since = 'Since 5 Jan 2026, 3:30 pm.';
  expect(await first()).toContain('No email is accepted by the mail server. The last reply was: ');
  expect(await first()).toMatch(new RegExp(`${since} \\d emails? waits? for it. Check SMTP_URL`));
  expect(mainText((await packer.get('/admin')).text)).not.toContain('SMTP_URL');
  const seconds = Date.parse('2026-01-05T10:00:00Z') / 1_000;
  expect(await metricsOf(api)).toMatch(
    new RegExp(`shop_alert_since_seconds{alert="outbox",todo="Check SMTP_URL.*"} ${seconds}\n`),
  );
  expect(await metricsOf(api)).toMatch(/shop_alert_waiting{alert="outbox",noun="email"} \d/);
  expect(await health(api)).toEqual([503, { status: 'failing', alerts: ['outbox'] }]);
  expect(api.lines.filter(({ event }) => event === 'alert')).toMatchObject([{ level: 'error' }]);

  await api.server.open();
  await api.sendDue();
  api.pass(MINUTE);
  expect(await first()).not.toContain('This does not work now');
  expect(await health(api)).toEqual([200, { status: 'ok', alerts: [] }]);
  expect(await metricsOf(api)).not.toContain('alert="outbox"');
});

test('one address that does not exist is no alert, several since the last accepted email are', async () => {
  const api = await emailsApi();
  api.server.misbehave(() => ({ refuse: 550 }));
  const place = async () => {
    await api.placeOrder((await api.customer()).token);
    await api.sendDue();
  };
  await place();
  expect(await found(api)).toEqual([]);
  await place();
  expect(await found(api)).toEqual(['outbox']);
});

test('emails that no process sends are found', async () => {
  const api = await emailsApi();
  await api.placeOrder((await api.customer()).token);
  expect(await found(api)).toEqual([]);
  api.pass(11 * MINUTE);
  expect(await found(api)).toEqual(['outbox']);
});

test.each([
  [13, 'has no room left'],
  ['25006', 'is read-only'],
  ['42501', 'does not let the user of the shop write'],
  ['53300', 'has no connection left: other programs hold them, or max_connections is too low'],
])('a database that refuses changes with %s is on the first page, which opens', async (code, problem) => {
  const api = await adminApi({ settings: { metricsToken } });
  const packer = await api.staff('packer');
  const failing = vi.spyOn(api.db, 'write').mockRejectedValue(new StorageError(code, { cause: undefined }));
  await found(api);
  api.pass(5 * MINUTE);
  const { status, text } = await packer.get('/admin');
  expect(status).toBe(200);
  expect(mainText(text)).toContain(
    `The database ${problem} (code ${code}).Since 5 Jan 2026, 3:30 pm. See that it runs`,
  );
  expect(await metricsOf(api)).toContain('alert="database writes"');
  expect(await health(api)).toEqual([503, { status: 'failing', alerts: ['database writes'] }]);
  const visitor = api.browser();
  const refused = await visitor.submit('/admin/sign-in', '/admin/sign-in', {
    email: packer.email,
    password: 'mangoes before monsoon',
  });
  expect([refused.status, mainText(refused.text)]).toEqual([503, expect.stringContaining(problem)]);
  failing.mockRestore();
  expect(await found(api)).toEqual([]);
});

test('a provider that refuses the key is reported since its first error, until it takes it', async () => {
  const provider = await startCashfree();
  onTestFinished(provider.close);
  const shop = await providerShop(provider, { mail: undefined });
  provider.failWith('wrong-key');
  await shop.pay();
  const at = shop.now();
  shop.pass(5 * HOUR);
  await recheckProviders(shop.services);
  expect(await findAlerts(shop.services)).toMatchObject([
    { problem: 'Cashfree refuses the key.', since: at, waiting: [1, 'payment'] },
  ]);
  provider.failWith(undefined);
  await recheckProviders(shop.services);
  expect(await found(shop)).toEqual([]);
  await shop.send({ body: '{}', headers: { 'Content-Type': 'application/json' } });
  expect(await found(shop)).toEqual(['webhooks']);
  shop.pass(2 * DAY);
  expect(await found(shop)).toEqual([]);
});

test('a watcher that is away, or that cannot publish, is reported', async () => {
  const hook = await startHook({ status: async () => ({ ...IDLE, failure: 'The disk is full\nENOSPC' }) });
  const api = await adminApi({ settings: { publishing: { hook: hook.url, token: TOKEN } } });
  expect(await findAlerts(api.services)).toMatchObject([
    { name: 'publishing', problem: 'The shop could not be published: The disk is full' },
  ]);
  const away = { hook: `http://127.0.0.1:${await freePort()}`, token: TOKEN };
  expect(await found(await adminApi({ settings: { publishing: away } }))).toEqual(['publishing']);
});

test('a job that fails is reported, and since when', async () => {
  const api = await adminApi();
  api.services.failingJobs.set('payments could not be reconciled', api.now() - HOUR);
  expect(await findAlerts(api.services)).toMatchObject([{ name: 'jobs', since: api.now() - HOUR }]);
});

/** A self-signed certificate of 'localhost', valid until 2126, and its key. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfSYYpSqZEvTSVOPN
vPsxML8WtMk5762ACsBDqvjlC36hRANCAAT53chrFDEAO5M7GzPrXeIP7GzhcjPT
m9jE584tNP49mTWK1cJfnSZ2YzBF4YJIBXiyFPiBWnTwGauzr+eqwycN
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUbBGuBDV4S0ZF+qJr7UugSRxFwU8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTA4NTc0MloYDzIxMjYxMTA1
MDg1NzQyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT53chrFDEAO5M7GzPrXeIP7GzhcjPTm9jE584tNP49mTWK1cJfnSZ2
YzBF4YJIBXiyFPiBWnTwGauzr+eqwycNo1MwUTAdBgNVHQ4EFgQUEiGeFH5xGv9v
WUwRzW4fe/FBLcwwHwYDVR0jBBgwFoAUEiGeFH5xGv9vWUwRzW4fe/FBLcwwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA0YUxSM2foxnS7x9DfDUu
3uJM04zMqcSA1Ax8oTQ7hdACIQDQB98+Ppf6aolqTrTaPqsGeFlWvtBTcl70ODGD
MTB0nQ==
-----END CERTIFICATE-----`;

test('reads the certificate that visitors get, and why browsers refuse it', async () => {
  const server = createServer({ key: KEY, cert: CERTIFICATE });
  onTestFinished(() => void server.close());
  const { port } = new URL(await listenLocally(server));
  expect(await certificateOf(`https://127.0.0.1:${port}`, 0)).toEqual({
    until: Date.UTC(2126, 10, 5, 8, 57, 42),
    refusal: expect.stringMatching(/SELF_SIGNED/),
  });
  expect(await certificateOf(`https://127.0.0.1:${await freePort()}`, 0)).toBeUndefined();
});

const NOW = Date.UTC(2026, 10, 23);

test.each([
  ['ends on 6 December 2026', { until: NOW + 13 * DAY, refusal: undefined }],
  ['ended on 22 November 2026', { until: NOW - DAY, refusal: 'CERT_HAS_EXPIRED' }],
  ['refuse the certificate', { until: NOW + 60 * DAY, refusal: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
  [undefined, { until: NOW + 15 * DAY, refusal: undefined }],
  [undefined, undefined],
])('a certificate that %s is reported', async (text, certificate) => {
  const env = { SITE_ORIGIN: 'https://fruit.in', PUBLIC_API_HOST: 'https://api.fruit.in' };
  const facts = { env, settings: readSettings(env), shop: undefined, now: NOW };
  const check = PROBES.find(({ name }) => name === 'certificate');
  const alert = await check?.find({ ...facts, certificateOf: async () => certificate });
  expect(alert || { problem: undefined }).toMatchObject({ problem: text && expect.stringContaining(text) });
});

import { describe, expect, it } from 'vitest';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { SettingsError } from '#scripts/program/setting.ts';

describe('readSettings', () => {
  it('[architecture · interfaces] has the documented defaults', () => {
    expect(readSettings({})).toMatchObject({
      port: 8044,
      database: '.data/shop.sqlite',
      catalogue: 'scripts/catalogue',
      siteOrigins: ['http://localhost:4321', 'http://127.0.0.1:4321'],
      apiOrigin: undefined,
      orders: { listed: 50, payableFor: 2 * 24 * 60 * 60_000 },
      hashing: { atOnce: 2, queue: 50 },
      stopping: { delay: 0, limit: 4_000 },
    });
  });

  it('reads lists, numbers and origins; an empty variable counts as none', () => {
    const settings = readSettings({
      PORT: ' 80 ',
      SITE_ORIGIN: 'https://a.example/, https://b.example',
      TRUST_PROXY: '10.0.0.1, ::1, 10.0.0.0/8,fd00::/8',
      LIMIT_ORDERS: '7',
      LIMIT_REGISTER: '1000',
      DATABASE: '',
    });
    expect(settings).toMatchObject({
      port: 80,
      siteOrigins: ['https://a.example', 'https://b.example'],
      trustedProxies: ['10.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8'],
      limits: { orders: { most: 7 }, register: { most: 1_000 } },
      database: '.data/shop.sqlite',
    });
  });

  it.each([
    [{ PORT: '99999' }, 'PORT: must be at most 65535'],
    [{ PORT: '8e3' }, 'PORT: must be a whole number'],
    [{ SITE_ORIGIN: 'shop.example' }, 'SITE_ORIGIN.0: must be an origin such as https://shop.example'],
    [{ SITE_ORIGIN: '*' }, 'SITE_ORIGIN.0: must be an origin'],
    [{ API_ORIGIN: 'https://a.example/path' }, 'API_ORIGIN: must be an origin'],
    [{ LIMIT_TRACK: '0' }, 'LIMIT_TRACK: must be at least 1'],
    [{ TRUST_PROXY: 'localhost' }, 'TRUST_PROXY.0: must be an address or a network such as 10.0.0.0/8'],
    [{ TRUST_PROXY: '10.0.0.1, 10.0.0.0/33' }, 'TRUST_PROXY.1: must be an address or a network'],
    [{ TRUST_PROXY: '10.0.0.0/' }, 'TRUST_PROXY.0: must be an address or a network'],
    [{ TRUST_PROXY: '10.0.0.0/8/8' }, 'TRUST_PROXY.0: must be an address or a network'],
    [{ TRUST_PROXY: '10.0.0' }, 'TRUST_PROXY.0: must be an address or a network'],
    [{ TRUST_PROXY: 'fe80::1%eth0' }, 'TRUST_PROXY.0: must be an address or a network'],
    [
      { DATABASE: 'mysql://localhost/shop' },
      'DATABASE: must be a file, :memory: or postgres://user@host/name',
    ],
    [{ DATABASE: 'file:shop.sqlite' }, 'DATABASE: must be a file, :memory: or postgres://user@host/name'],
    [{ GATEWAY_SECRET: 'short' }, 'GATEWAY_SECRET: must have at least 16 characters'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN: must have at least 16 characters'],
  ])('%j is refused with the name and the reason', (environment, text) => {
    expect(() => readSettings(environment)).toThrow(SettingsError);
    expect(() => readSettings(environment)).toThrow(text);
  });

  it.each([
    [{}, 'SANDBOX_GATEWAY: must be on in production'],
    [{ SANDBOX_GATEWAY: '' }, 'SANDBOX_GATEWAY: must be on in production'],
    [
      { SANDBOX_GATEWAY: 'off', PAYMENT_PROVIDERS: 'cod,sandbox' },
      'SANDBOX_GATEWAY: must be on in production',
    ],
    [{ SANDBOX_GATEWAY: 'yes' }, 'SANDBOX_GATEWAY: must be on or off'],
    [{ SANDBOX_GATEWAY: 'on', FAULTS: 'on' }, 'FAULTS: must be off in production'],
  ])('[fault 120] production with %j is refused', (environment, text) =>
    expect(() => readSettings({ NODE_ENV: 'production', ...environment })).toThrow(text),
  );

  it.each([
    [{}, true],
    [{ NODE_ENV: 'production', SANDBOX_GATEWAY: 'on' }, true],
    [{ NODE_ENV: 'production', SANDBOX_GATEWAY: 'off' }, false],
    [{ NODE_ENV: 'production', PAYMENT_PROVIDERS: 'cod' }, false],
  ])('[fault 120] with %j the sandbox takes payments: %s', (environment, isOn) =>
    expect(readSettings(environment).paymentProviders.includes('sandbox')).toBe(isOn),
  );

  it.each([
    [{ PUBLIC_API_HOST: 'https://api.shop.example/' }, 'https://api.shop.example'],
    [{ PUBLIC_API_HOST: 'https://api.shop.example', API_ORIGIN: 'https://a.example' }, 'https://a.example'],
  ])('with %j its public address is %s', (environment, apiOrigin) =>
    expect(readSettings(environment)).toMatchObject({ apiOrigin }),
  );

  it('[fault 86] does not repeat a secret', () => {
    expect(() => readSettings({ GATEWAY_SECRET: 'hush' })).not.toThrow('hush');
  });
});

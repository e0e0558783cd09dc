import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright';

const PHONE = {
  viewport: { width: 360, height: 800 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  serviceWorkers: 'block',
} as const;

/** A round trip takes 150 ms. 1.6 Mbit/s down and 0.75 Mbit/s up, in bytes per second. */
const SLOW_LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const CPU_SLOWDOWN = 4;

export const SLOW_PHONE_NOTE = '150 ms, 1.6 Mbit/s, CPU 4×';

export interface Phone {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly cdp: CDPSession;
}

/** Opens a page as on a first visit: nothing of earlier visits is stored. */
export async function openPhone(browser: Browser, options: BrowserContextOptions = {}): Promise<Phone> {
  const context = await browser.newContext({ ...PHONE, ...options });
  const page = await context.newPage();
  return { context, page, cdp: await context.newCDPSession(page) };
}

export async function slowLine({ cdp }: Phone): Promise<void> {
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', SLOW_LINE);
}

export const slowCpu = ({ cdp }: Phone): Promise<unknown> =>
  cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });

/** Opens a page as on a first visit on a slow phone. It is slow from the first byte. */
export async function openSlowPhone(browser: Browser): Promise<Phone> {
  const phone = await openPhone(browser);
  await slowLine(phone);
  await slowCpu(phone);
  return phone;
}

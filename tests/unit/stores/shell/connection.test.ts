// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseSaving, choseSaving, savesData } from '#stores/shell/connection.ts';
import { whenIdle } from '#stores/shell/idle.ts';

const pretend = (name: string, of: object, value: unknown): void => {
  Object.defineProperty(of, name, { value, configurable: true });
};

beforeEach(() => {
  pretend('connection', navigator, undefined);
  pretend('onLine', navigator, true);
  vi.useFakeTimers();
});

afterEach(() => {
  chooseSaving(false);
  vi.useRealTimers();
});

describe('data is saved', () => {
  test.each([
    ['as the browser asks', { saveData: true, effectiveType: '4g' }, true],
    ['on 2g', { effectiveType: 'slow-2g' }, true],
    ['on 3g', { effectiveType: '3g' }, true],
    ['not on 4g', { saveData: false, effectiveType: '4g' }, false],
    ['not where nothing is known', undefined, false],
  ])('%s', (_, connection, saves) => {
    pretend('connection', navigator, connection);
    expect(savesData()).toBe(saves);
  });

  test('as chosen on this device, until it is chosen otherwise', () => {
    chooseSaving(true);
    expect([choseSaving(), savesData(), localStorage.getItem('data-saver')]).toEqual([true, true, 'on']);
    chooseSaving(false);
    expect([choseSaving(), savesData()]).toEqual([false, false]);
  });
});

describe('work that nobody waits for', () => {
  // A new one each time: what earlier tests left listens on.
  let work = vi.fn();
  beforeEach(() => {
    work = vi.fn();
  });

  test('is done after the load', () => {
    whenIdle(work);
    vi.runAllTimers();
    expect(work).toHaveBeenCalledOnce();
  });

  test('is not done where data is saved', () => {
    chooseSaving(true);
    whenIdle(work);
    vi.runAllTimers();
    dispatchEvent(new Event('online'));
    expect(work).not.toHaveBeenCalled();
  });

  test('[fault 18] is done once when the network is back, not before', () => {
    pretend('onLine', navigator, false);
    whenIdle(work);
    vi.runAllTimers();
    expect(work).not.toHaveBeenCalled();
    pretend('onLine', navigator, true);
    dispatchEvent(new Event('online'));
    expect(work).toHaveBeenCalledOnce();
  });

  test('waits while the page is only drawn ahead', () => {
    pretend('prerendering', document, true);
    whenIdle(work);
    vi.runAllTimers();
    expect(work).not.toHaveBeenCalled();
    pretend('prerendering', document, false);
    document.dispatchEvent(new Event('prerenderingchange'));
    vi.runAllTimers();
    expect(work).toHaveBeenCalledOnce();
  });
});

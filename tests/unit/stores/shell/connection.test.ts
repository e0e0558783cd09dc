// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isDataSaverOn, savesData, setDataSaver, whenIdle } from '#stores/shell/connection.ts';

const pretend = (name: string, of: object, value: unknown): void => {
  Object.defineProperty(of, name, { value, configurable: true });
};

beforeEach(() => {
  pretend('connection', navigator, undefined);
  pretend('onLine', navigator, true);
  vi.useFakeTimers();
});

afterEach(() => {
  setDataSaver(false);
  vi.useRealTimers();
});

test.each([
  ['yes, if the browser reports Save-Data', { saveData: true, effectiveType: '4g' }, true],
  ['yes, on 2g', { effectiveType: 'slow-2g' }, true],
  ['yes, on 3g', { effectiveType: '3g' }, true],
  ['no, on 4g', { saveData: false, effectiveType: '4g' }, false],
  ['no, if the browser reports nothing', undefined, false],
])('saving data: %s', (_, connection, saves) => {
  pretend('connection', navigator, connection);
  expect(savesData()).toBe(saves);
});

test('data is saved after the visitor chose it, until they change it', () => {
  setDataSaver(true);
  expect([isDataSaverOn(), savesData(), localStorage.getItem('fresh-fruits.data-saver')]).toEqual([
    true,
    true,
    'on',
  ]);
  setDataSaver(false);
  expect([isDataSaverOn(), savesData()]).toEqual([false, false]);
});

describe('background work', () => {
  // Each test needs its own function, because the listeners of earlier tests remain.
  let work = vi.fn();
  beforeEach(() => {
    work = vi.fn();
  });

  test('runs after the load', () => {
    whenIdle(work);
    vi.runAllTimers();
    expect(work).toHaveBeenCalledOnce();
  });

  test('does not run if data is saved', () => {
    setDataSaver(true);
    whenIdle(work);
    vi.runAllTimers();
    dispatchEvent(new Event('online'));
    expect(work).not.toHaveBeenCalled();
  });

  test('runs even if the browser reports no network, and again when the network is back', () => {
    pretend('onLine', navigator, false);
    whenIdle(work);
    vi.runAllTimers();
    expect(work).toHaveBeenCalledOnce();
    dispatchEvent(new Event('online'));
    expect(work).toHaveBeenCalledTimes(2);
  });

  test('waits while the page is only prerendered', () => {
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

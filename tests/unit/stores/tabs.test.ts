// @vitest-environment jsdom
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cartLine } from '#tests/support/cart-line.ts';
import { SharedStorage } from '#tests/support/tabs.ts';

/** Every run imports the store anew for each tab. */
const PATIENCE_MS = 180_000;

const PRODUCTS = ['mango', 'kiwi', 'pear'] as const;

async function openTabs(count: number) {
  const storage = new SharedStorage(count);
  const carts: typeof import('#stores/cart.ts')[] = [];
  for (let tab = 0; tab < count; tab += 1) {
    storage.enter(tab);
    vi.resetModules();
    carts.push(await import('#stores/cart.ts'));
  }
  const tell = async (tab: number): Promise<void> => {
    const event = storage.nextEvent(tab);
    if (!event) return;
    storage.enter(tab);
    carts[tab]?.refreshCart(event);
    await vi.dynamicImportSettled();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    add(tab: number, id: string): void {
      storage.enter(tab);
      carts[tab]?.addToCart(cartLine({ id, name: id, price: 10 }));
    },
    clear(tab: number): void {
      storage.enter(tab);
      carts[tab]?.clearCart();
    },
    /** As another page's script, or another release of the shop, writes it. */
    set(tab: number, value: string | null): void {
      storage.enter(tab);
      if (value === null) localStorage.removeItem('cart');
      else localStorage.setItem('cart', value);
    },
    /** From the back/forward cache, where it heard of nothing. */
    comeBack(tab: number): void {
      storage.enter(tab);
      storage.dropEvents(tab);
      carts[tab]?.refreshCart();
    },
    arrive: (tab: number) => storage.arrive(tab),
    hear: (tab: number) => storage.hear(tab),
    tell,
    async settle(): Promise<void> {
      for (let round = 0; !storage.isQuiet; round += 1) {
        if (round === 500) throw new Error('They never come to an end.');
        for (const tab of carts.keys()) {
          storage.arrive(tab);
          storage.hear(tab);
          await tell(tab);
        }
      }
    },
    quantities: () =>
      carts.map(({ $cart }) => Object.fromEntries($cart.get().map(({ id, quantity }) => [id, quantity]))),
  };
}

type Tabs = Awaited<ReturnType<typeof openTabs>>;

afterEach(() => vi.unstubAllGlobals());

/** Adds, and what was written or told on its way, in any order. */
const stepsOf = (count: number) => {
  const tab = fc.nat({ max: count - 1 });
  // Bursts, so that much of one kind is late at once.
  const times = fc.integer({ min: 1, max: 6 });
  const step = fc.oneof(
    fc.record({ act: fc.constant('add' as const), tab, times, id: fc.constantFrom(...PRODUCTS) }),
    fc.record({ act: fc.constantFrom('arrive' as const, 'hear' as const, 'tell' as const), tab, times }),
  );
  return fc.array(step, { maxLength: 40 });
};

type Steps = ReturnType<typeof stepsOf> extends fc.Arbitrary<infer Some> ? Some : never;

/** Returns how many were added of each, but for those of one tab. */
async function act(tabs: Tabs, steps: Steps, but?: number): Promise<Record<string, number>> {
  const added: Record<string, number> = {};
  for (const step of steps)
    for (let time = 0; time < step.times; time += 1)
      if (step.act === 'add') {
        tabs.add(step.tab, step.id);
        if (step.tab !== but) added[step.id] = (added[step.id] ?? 0) + 1;
      } else await tabs[step.act](step.tab);
  return added;
}

describe('tabs that do not hear of one another at once', () => {
  it.each([2, 3])(
    '[fault 29] %i of them lose no edit, and none is made twice',
    async (count) => {
      await fc.assert(
        fc.asyncProperty(stepsOf(count), async (steps) => {
          const tabs = await openTabs(count);
          const added = await act(tabs, steps);
          await tabs.settle();
          for (const cart of tabs.quantities()) expect(cart).toEqual(added);
        }),
        { numRuns: 40, seed: 29 },
      );
    },
    PATIENCE_MS,
  );

  it.each([2, 3])(
    '[fault 30] %i of them: nothing that one cleared comes back',
    async (count) => {
      await fc.assert(
        fc.asyncProperty(stepsOf(count), stepsOf(count), stepsOf(count), async (before, beside, after) => {
          const tabs = await openTabs(count);
          await act(tabs, before);
          await tabs.settle();
          const unheard = await act(tabs, beside, 0);
          tabs.clear(0);
          const added = await act(tabs, after);
          await tabs.settle();
          const [cart, ...others] = tabs.quantities();
          for (const other of others) expect(other).toEqual(cart);
          for (const id of PRODUCTS) {
            const least = added[id] ?? 0;
            expect(cart?.[id] ?? 0).toBeGreaterThanOrEqual(least);
            expect(cart?.[id] ?? 0).toBeLessThanOrEqual(least + (unheard[id] ?? 0));
          }
        }),
        { numRuns: 40, seed: 30 },
      );
    },
    PATIENCE_MS,
  );

  it('[fault 29] lose no edit of a cart that somebody else wrote', async () => {
    const tabs = await openTabs(2);
    tabs.set(1, JSON.stringify([cartLine({ id: 'fig', quantity: 3 })]));
    await tabs.settle();
    tabs.add(0, 'fig');
    tabs.add(1, 'fig');
    await tabs.settle();
    expect(tabs.quantities()).toEqual([{ fig: 5 }, { fig: 5 }]);
  });

  it('[fault 29] lose none after Back, either', async () => {
    const tabs = await openTabs(2);
    tabs.add(0, 'kiwi');
    await tabs.settle();
    for (const id of PRODUCTS) tabs.add(1, id);
    while (tabs.arrive(1)) tabs.hear(0);
    tabs.comeBack(0);
    tabs.add(0, 'mango');
    tabs.add(1, 'mango');
    await tabs.settle();
    const all = { kiwi: 2, mango: 3, pear: 1 };
    expect(tabs.quantities()).toEqual([all, all]);
  });

  it('[fault 30] do nothing again that was lost some seconds ago', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const tabs = await openTabs(2);
    tabs.add(0, 'mango');
    tabs.add(1, 'pear');
    tabs.arrive(0);
    tabs.arrive(1);
    for (let told = 0; told < 2; told += 1) tabs.hear(0);
    tabs.add(0, 'kiwi');
    vi.advanceTimersByTime(5_000);
    await tabs.settle();
    vi.useRealTimers();
    expect(tabs.quantities()[0]).toEqual({ pear: 1, kiwi: 1 });
  });

  it('[fault 32] a cart that was removed does not come back with the next edit', async () => {
    const tabs = await openTabs(2);
    for (const id of PRODUCTS) tabs.add(0, id);
    await tabs.settle();
    tabs.set(1, null);
    tabs.add(1, 'fig');
    while (tabs.arrive(1)) tabs.hear(0);
    await tabs.settle();
    expect(tabs.quantities()).toEqual([{ fig: 1 }, { fig: 1 }]);
  });

  it.each([
    ['removed', null, {}],
    ['written by somebody else', JSON.stringify([cartLine({ id: 'fig', quantity: 3 })]), { fig: 3 }],
  ])('[fault 32] a cart that was %s stays so', async (_what, value, left) => {
    const tabs = await openTabs(2);
    for (const id of PRODUCTS) tabs.add(0, id);
    await tabs.settle();
    tabs.set(1, value);
    await tabs.settle();
    expect(tabs.quantities()[0]).toEqual(left);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsOf, shownAmount, tellingLines } from '#domain/order-amounts.ts';
import { anOrder } from '#tests/support/order.ts';

describe('what an order comes to', () => {
  it('[spec 2.orders.5, 4.cart.8] is the sum of price times quantity, in paise', () => {
    expect(amountsOf(anOrder().items).total).toBe(139_800);
    expect(
      amountsOf([
        { price: 0.1, quantity: 3 },
        { price: 99.99, quantity: 2 },
      ]).total,
    ).toBe(20_028);
    expect(amountsOf([]).total).toBe(0);
  });

  it('[fault 63] no paisa is off, whatever the prices and quantities', () => {
    const item = fc.record({ paise: fc.nat(1e8), quantity: fc.integer({ min: 1, max: 9_999 }) });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 40 }), (items) => {
        const exact = items.reduce((sum, { paise, quantity }) => sum + BigInt(paise) * BigInt(quantity), 0n);
        const { total } = amountsOf(items.map(({ paise, quantity }) => ({ price: paise / 100, quantity })));
        expect(BigInt(total)).toBe(exact);
      }),
      { numRuns: 10_000 },
    );
  });

  it('[fault 69] a total beyond all counting is no safe integer', () => {
    const most = { price: 10_000_000_000, quantity: 9_000 };
    expect(Number.isSafeInteger(amountsOf([most]).total)).toBe(true);
    expect(Number.isSafeInteger(amountsOf([most, { price: 7_199_254_740.99, quantity: 1 }]).total)).toBe(
      true,
    );
    expect(Number.isSafeInteger(amountsOf([most, most]).total)).toBe(false);
  });

  it('[spec 2.cart.8] has the subtotal and free shipping as its lines', () => {
    const { lines } = amountsOf(anOrder().items);
    expect(lines.map((line) => [line.name, shownAmount(line)])).toEqual([
      ['Subtotal', '₹1,398'],
      ['Shipping', 'Free'],
    ]);
    expect(shownAmount({ name: 'Subtotal', paise: 0 })).toBe('₹0');
  });

  it.each([
    ['nothing is charged', 100, { charge: null, freeFrom: null }, 0],
    ['0 is free', 100, { charge: 0, freeFrom: null }, 0],
    ['below the limit', 498.99, { charge: 60.5, freeFrom: 499 }, 60_50],
    ['at the limit', 499, { charge: 60.5, freeFrom: 499 }, 0],
    ['without a limit', 99_999, { charge: 60.5, freeFrom: null }, 60_50],
    ['a limit alone charges nothing', 1, { charge: null, freeFrom: 499 }, 0],
  ])('[spec 3.store.7] charges delivery: %s', (_, price, delivery, paise) => {
    const { lines, total } = amountsOf([{ price, quantity: 1 }], delivery);
    expect(lines[1]).toEqual({ name: 'Shipping', paise });
    expect(total).toBe(Math.round(price * 100) + paise);
  });

  it('an empty cart has nothing to deliver', () => {
    expect(amountsOf([], { charge: 60, freeFrom: null }).total).toBe(0);
  });

  it('[spec 2.orders.10] lists its lines where they tell more than the total does', () => {
    const shipping = { name: 'Shipping', paise: 4_000 };
    const lines = [{ name: 'Subtotal', paise: 10_000 }, shipping, { name: 'Discount', paise: -500 }];
    expect(tellingLines({ lines, total: 13_500 })).toEqual(lines);
    expect(tellingLines(amountsOf(anOrder().items))).toEqual([]);
    expect(tellingLines({ lines: [], total: 13_500 })).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { statusAfter, TRANSITIONS } from '#scripts/api/orders/moves.ts';

describe('statusAfter', () => {
  it('allows exactly the steps forward, and cancelling before it is shipped', () => {
    const allowed = (['process', 'ship', 'deliver', 'cancel'] as const).flatMap((transition) =>
      [0, 1, 2, 3, 4]
        .filter((status) => statusAfter(transition, status) !== undefined)
        .map((status) => `${transition} ${status}`),
    );
    expect(allowed).toEqual(['process 0', 'ship 1', 'deliver 2', 'cancel 0', 'cancel 1']);
    expect(Object.values(TRANSITIONS).map(({ to }) => to)).toEqual([1, 2, 3, 4]);
  });
});

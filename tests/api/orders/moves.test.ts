import { expect, it } from 'vitest';
import { NEW_ORDER } from '#domain/new-order.ts';
import { STATUSES, type StatusName } from '#domain/order-status.ts';
import { allows, MOVE_NAMES, moveRow, plainMoves } from '#scripts/api/orders/moves.ts';

const NAMES = Object.keys(STATUSES).filter((name): name is StatusName => name in STATUSES);

it('every status but the first is reached by exactly one move, and a move leads on from each of its statuses', () => {
  const later = NAMES.filter((name) => STATUSES[name].wire !== NEW_ORDER);
  expect(MOVE_NAMES.map((move) => moveRow(move).to)).toEqual(later);
  for (const name of NAMES) {
    const { wire } = STATUSES[name];
    expect(MOVE_NAMES.filter((move) => allows(wire, move))).toEqual(
      MOVE_NAMES.filter((move) => moveRow(move).from.includes(name)),
    );
  }
  expect(MOVE_NAMES.filter((move) => allows(99, move))).toEqual([]);
});

it('an order that was shipped cannot be cancelled; several orders at once can be moved but not cancelled', () => {
  const cancellable = NAMES.filter((name) => allows(STATUSES[name].wire, 'cancel'));
  expect(cancellable).toEqual(['pending', 'processing']);
  expect(plainMoves()).toEqual(['process', 'ship', 'deliver']);
  expect(plainMoves(STATUSES.pending.wire)).toEqual(['process']);
});

import { expect, it } from 'vitest';
import { isPaid, isPayable, statusOf } from '#domain/order-status.ts';

const PAID = 'This order is already paid.';
const CANCELLED = 'This order was cancelled. It cannot be paid.';
const NOT_NOW = 'This order takes no payment at the moment.';

// The specification's own lines. Everything else takes them from the table.
it.each([
  ['[spec 4.status.1] [spec 4.status.8]', 0, 'Pending', 'yellow', undefined],
  ['[spec 4.status.2] [spec 4.status.8]', 1, 'Processing', 'blue', PAID],
  ['[spec 4.status.3] [spec 4.status.8]', 2, 'Shipped', 'purple', PAID],
  ['[spec 4.status.4] [spec 4.status.8]', 3, 'Delivered', 'green', PAID],
  ['[spec 4.status.5] [spec 4.status.8]', 4, 'Cancelled', 'red', CANCELLED],
  ['[spec 4.status.6] [spec 4.status.8]', 5, 'Unknown (5)', 'grey', NOT_NOW],
  ['[spec 4.status.6]', -1, 'Unknown (-1)', 'grey', NOT_NOW],
  ['[spec 4.status.6]', 1.5, 'Unknown (1.5)', 'grey', NOT_NOW],
  ['[spec 4.status.7] [spec 4.status.8]', 'unreadable', 'Unknown', 'grey', NOT_NOW],
] as const)(
  '%s [spec 2.orders.7] [fault 75, 76] %s shows %s in %s and tells whoever would pay: %s',
  (_, status, label, tone, whyClosed) => {
    expect(statusOf(status)).toMatchObject({ label, tone });
    expect(statusOf(status).whyClosed).toBe(whyClosed);
    expect([isPayable({ status }), isPaid({ status })]).toEqual([
      whyClosed === undefined,
      whyClosed === PAID,
    ]);
  },
);

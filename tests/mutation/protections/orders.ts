import type { Protection } from '#tests/mutation/protection.ts';

const ORDERS_FILE = 'scripts/api/routes/orders.ts';
const ORDER_SCHEMA = 'scripts/api/schema/orders.ts';
const PAYMENTS = 'scripts/api/routes/payments.ts';
const ORDERS_TEST = 'tests/api/orders.test.ts';
const TRACK_TEST = 'tests/api/track-order.test.ts';
const PAYMENTS_TEST = 'tests/api/payments.test.ts';
const CALLBACK_TEST = 'tests/api/gateway-callback.test.ts';
const CHECKOUT_TEST = 'tests/unit/stores/checkout.test.ts';
const STORAGE_TEST = 'tests/api/storage.test.ts';
const PAYMENT_STORE_TEST = 'tests/unit/stores/payment.test.ts';

/** Faults 70 to 80. */
export const ORDERS: readonly Protection[] = [
  [70, PAYMENTS, "|| order.userId !== context.get('user').id", '', PAYMENTS_TEST],
  [
    71,
    'scripts/api/ids.ts',
    'order: () => randomUUID()',
    "order: ((last = 0) => () => '00000000-0000-4000-8000-' + String(++last).padStart(12, '0'))()",
    ORDERS_TEST,
  ],
  [71, ORDERS_FILE, '[[orderMisses, shop.clientAddress(context)]]', '[]', TRACK_TEST],
  [72, ORDERS_FILE, 'limits.push([track, id])', 'limits.push()', TRACK_TEST],
  [
    73,
    ORDERS_FILE,
    'const answer = await shop.db.write(() =>',
    `const { id } = JSON.parse(context.get('body'));
    if (id) shop = { ...shop, ids: { ...shop.ids, order: () => id } };
    const answer = await shop.db.write(() =>`,
    ORDERS_TEST,
  ],
  [74, 'src/stores/payment-form.ts', "form.status === 'working' || ", '', PAYMENT_STORE_TEST],
  [74, 'src/stores/checkout.ts', 'if ($cart.get().length > 0) renewAttempt();', '', CHECKOUT_TEST],
  [
    75,
    'src/stores/payment.ts',
    "if (order && order !== 'unknown' && !isPayable(order)) $payment.set({ view: 'closed', order });",
    '',
    PAYMENT_STORE_TEST,
  ],
  [
    76,
    PAYMENTS,
    'if (order.status !== STATUS.pending) return',
    'if (order.status === 99) return',
    PAYMENTS_TEST,
  ],
  [
    77,
    'scripts/api/routes/payment-callback.ts',
    'if (!isSignedBy(',
    'if (!((...given: unknown[]) => given[2] !== undefined)(',
    CALLBACK_TEST,
  ],
  [
    77,
    'scripts/api/payment-state.ts',
    'if (!isOpen(payment.state)) return payment.state;',
    'isOpen(payment.state);',
    'tests/api/payment-state.test.ts',
  ],
  [
    78,
    'scripts/api/place-order-once.ts',
    "db.run('INSERT INTO order_keys VALUES (?, ?, ?, ?, ?)', userId, key, bodyHash, answer, clock());",
    '',
    'tests/api/torture.test.ts',
  ],
  [
    79,
    'scripts/api/db/group-commit.ts',
    'for (const job of jobs) job.reject(error);',
    'for (const answer of done) answer();',
    STORAGE_TEST,
  ],
  [79, 'scripts/api/db/storage-error.ts', '7, 8, 10, 11', '7, 8, 11', STORAGE_TEST],
  [80, ORDER_SCHEMA, 'v.maxEntries(PRODUCTS_MOST,', 'v.maxEntries(PRODUCTS_MOST * 10,', ORDERS_TEST],
  [80, ORDER_SCHEMA, 'v.minEntries(1,', 'v.minEntries(0,', ORDERS_TEST],
];

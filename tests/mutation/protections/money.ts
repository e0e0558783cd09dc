import type { Protection } from '#tests/mutation/protection.ts';

const MONEY_FILE = 'src/domain/money.ts';
const MONEY_TEST = 'tests/unit/domain/money.test.ts';
const PRICE_CHECK = 'src/domain/price-check.ts';
const PRICE_CHECK_TEST = 'tests/unit/domain/price-check.test.ts';
const PLACE_ORDER = 'scripts/api/place-order.ts';
const ORDERS_TEST = 'tests/api/orders.test.ts';

/** Faults 63 to 69. */
export const MONEY: readonly Protection[] = [
  [63, MONEY_FILE, 'Number(exponent) + 2', 'Number(exponent) + 1', MONEY_TEST],
  [
    64,
    'src/api/schema/product.ts',
    'price: discounted || regular',
    'price: wire.discountedPrice ?? regular',
    'tests/unit/api/schema/product.test.ts',
  ],
  [64, 'src/catalog.ts', 'if (!isPriced(product))', 'if (false)', 'tests/publish/odd-shop.test.ts'],
  [
    65,
    'src/domain/product.ts',
    'price < originalPrice',
    'price <= originalPrice',
    'tests/unit/domain/product.test.ts',
  ],
  [66, MONEY_FILE, 'rupees >= 0', 'rupees >= -1', MONEY_TEST],
  [
    67,
    'src/stores/checkout.ts',
    'checkAllPrices()',
    'Promise.resolve()',
    'tests/unit/stores/checkout.test.ts',
  ],
  [67, PRICE_CHECK, 'needsYes: today.price > line.price', 'needsYes: false', PRICE_CHECK_TEST],
  [67, PLACE_ORDER, 'unitPaise: product.unitPaise }', 'unitPaise: 100 }', ORDERS_TEST],
  [
    68,
    PRICE_CHECK,
    "filter(({ availability }) => availability === 'sold')",
    'filter(() => true)',
    PRICE_CHECK_TEST,
  ],
  [68, PLACE_ORDER, 'product.gone !== 0', 'false', ORDERS_TEST],
  [69, PLACE_ORDER, 'total > BigInt(Number.MAX_SAFE_INTEGER)', 'false', ORDERS_TEST],
];

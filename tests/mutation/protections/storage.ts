import type { Protection } from '#tests/mutation/protection.ts';

const CART = 'src/domain/cart.ts';
const CART_TEST = 'tests/unit/domain/cart.test.ts';
const STORE = 'src/stores/cart.ts';
const STORE_TEST = 'tests/unit/stores/cart.test.ts';
const STORAGE_FILE = 'src/stores/storage.ts';

/** Faults 23 to 34. */
export const STORAGE: readonly Protection[] = [
  [23, STORAGE_FILE, "set('sessionStorage', key, value)", 'false', STORE_TEST],
  [24, STORAGE_FILE, "  memory.set(key, value);\n  return 'memory'", "  return 'memory'", STORE_TEST],
  [25, CART, "typeof line.id !== 'string'", 'false', CART_TEST],
  [25, CART, '.map(toStoredLine)', '.slice(0, LINES_LIMIT).map(toStoredLine)', CART_TEST],
  [26, CART, 'isPrice(line.price) ? line.price : 0', 'line.price', CART_TEST],
  [26, CART, "typeof number !== 'number' || !(number >= MIN_QUANTITY)", 'false', CART_TEST],
  [
    27,
    'src/domain/price-check.ts',
    'name: today.name, image: today.image, price',
    'price',
    'tests/unit/domain/price-check.test.ts',
  ],
  [28, STORE, "readOnly ? 'memory' : store(next)", 'store(next)', STORE_TEST],
  [29, STORE, '  refreshCart();\n  return $cart.get();', '  return $cart.get();', STORE_TEST],
  [29, STORE, 'takeAway(cart, ordered)', 'EMPTY_CART', 'tests/unit/stores/checkout.test.ts'],
  [30, STORE, 'const cart = present();', 'const cart = $cart.get();', STORE_TEST],
  [31, 'src/stores/checkout.ts', '  refreshCart();\n', '', 'tests/unit/stores/checkout.test.ts'],
  [33, CART, 'cart.filter((line) => line.id !== id)', 'cart.slice(1)', CART_TEST],
];

import type { BrowserProtection } from '#tests/mutation/protection.ts';

const ONE_ORDER = 'tests/e2e/one-order.test.ts';
const THREE_TABS = 'tests/e2e/three-tabs.test.ts';
const CHECKOUT = 'src/stores/checkout.ts';
const CHECKOUT_TEST = 'tests/e2e/checkout.test.ts';
const TWO_TABS = 'tests/faults/two-tabs.test.ts';
const SLOW_AND_GONE = 'tests/faults/slow-and-gone.test.ts';
const REFUSED_STORAGE = 'tests/faults/refused-storage.test.ts';
const CART = 'src/domain/cart.ts';
const CART_TEST = 'tests/e2e/cart.test.ts';

/** What is taken away at once, in one build: no two of a group touch each other's test. */
export const BROWSER: readonly (readonly BrowserProtection[])[] = [
  [
    [
      5,
      'src/components/home/featured-live.ts',
      "console.warn('Failed to load featured products', result.failure)",
      'list.replaceChildren()',
      SLOW_AND_GONE,
      'with the API down',
    ],
    [
      6,
      'src/api/client.ts',
      `const TIMEOUT_MS = 10_000;
/** All tries of one call together, to the end of its body; a hanging call is told well before 25 s (faults 6). */
const TOTAL_TIMEOUT_MS = 22_000;`,
      'const TIMEOUT_MS = 1e9;\nconst TOTAL_TIMEOUT_MS = 1e9;',
      SLOW_AND_GONE,
      'a list that hangs',
    ],
    [
      15,
      'src/api/schema/account.ts',
      'v.unknown(),\n  v.transform(unwrap),\n  v.object({\n    firstName',
      'v.unknown(),\n  v.transform((value) => (value as { data: unknown }).data),\n  v.object({\n    firstName',
      'tests/e2e/account.test.ts',
      'comes bare',
    ],
    [
      18,
      'src/islands/checkout/CheckoutForm.tsx',
      'inactive={!online}',
      'inactive={false}',
      CHECKOUT_TEST,
      'offline, ordering waits',
    ],
    [30, 'src/stores/cart.ts', 'watchStored(CART_KEY, refreshCart);', '', TWO_TABS, 'what one tab clears'],
    [
      34,
      CART,
      'LINES_LIMIT = 2_000',
      'LINES_LIMIT = 200',
      'tests/faults/cart-500-lines.test.ts',
      '500 lines',
    ],
    [
      36,
      'src/components/shell/header.ts',
      "addEventListener('focus', draw);\n  addEventListener('pageshow', draw);\n  document.addEventListener('visibilitychange', draw);",
      '',
      'tests/e2e/shell.test.ts',
      'where the browser tells nothing of cookies',
    ],
    [
      47,
      'src/components/product/detail.ts',
      'element.textContent = text',
      'element.innerHTML = text',
      'tests/faults/hostile-content.test.ts',
      'a hostile product and listing',
    ],
    [
      47,
      'src/islands/cart/CartRow.tsx',
      '<a href={paths.product(id)}>{name}</a>',
      '<a href={paths.product(id)} dangerouslySetInnerHTML={{ __html: name }} />',
      'tests/faults/hostile-content.test.ts',
      'hostile lines of a cart',
    ],
    [
      47,
      'src/islands/track/TrackedOrder.tsx',
      '<th scope="row" translate="no">\n            {name}\n          </th>',
      '<th scope="row" dangerouslySetInnerHTML={{ __html: name }} />',
      'tests/faults/hostile-content.test.ts',
      'a hostile tracked order',
    ],
    [
      67,
      'src/domain/price-check.ts',
      'needsYes: today.price > line.price',
      'needsYes: false',
      CHECKOUT_TEST,
      'what became dearer needs a yes',
    ],
    [74, CHECKOUT, "!('locks' in navigator)", 'true', THREE_TABS, 'by their lock alone'],
    [
      74,
      'src/stores/place-order.ts',
      'attempt.key}',
      'crypto.randomUUID()}',
      THREE_TABS,
      'by their key alone',
    ],
    [
      89,
      'src/components/shell/stale.ts',
      '.then((gone) => gone && mend())',
      '.then(() => mend())',
      'tests/faults/chunks.test.ts',
      'while every script is there',
    ],
    [
      92,
      'src/api/diagnosis.ts',
      "['authorization', 'set-cookie', 'cookie', 'proxy-authorization']",
      '[]',
      'tests/e2e/api-test.test.ts',
      'nothing secret',
    ],
  ],
  [
    [
      6,
      'src/api/limits.ts',
      '      leaving.abort();\n',
      '',
      'tests/faults/leaving.test.ts',
      'ends what it asked for, and Back asks again',
    ],
    [
      17,
      'src/stores/login.ts',
      "failure.kind === 'no-answer'",
      "failure.kind === 'unreadable'",
      'tests/e2e/login.test.ts',
      'does not allow this origin',
    ],
    [
      18,
      'src/components/shell/offline.ts',
      "for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, draw);",
      '',
      'tests/e2e/offline.test.ts',
      'a banner within a second',
    ],
    [
      19,
      'src/stores/place-order.ts',
      "return { kind: 'unknown' };",
      "return { kind: 'refused', failure };",
      ONE_ORDER,
      'nobody can say',
    ],
    [
      23,
      'src/stores/storage.ts',
      "set('sessionStorage', key, value)",
      'false',
      REFUSED_STORAGE,
      'sessionStorage carries the cart',
    ],
    [
      31,
      CHECKOUT,
      "if (orderId !== undefined) $checkout.set({ ...NEW_CHECKOUT, status: 'placed', orderId });",
      '',
      ONE_ORDER,
      'ordered in one tab',
    ],
    [
      32,
      'src/stores/cart.ts',
      'const cart = present();',
      'const cart = $cart.get();',
      CART_TEST,
      'storage wiped under an open cart',
    ],
    [35, CHECKOUT, '  keepDraft(address);\n', '', ONE_ORDER, 'signed out in mid-checkout'],
    [
      44,
      'src/stores/payment.ts',
      "  $payment.set(LOADING_PAYMENT);\n  $paidOrder.set({ id: '' });\n",
      '',
      'tests/e2e/payment-back.test.ts',
      'after a sign-out Back shows no payment',
    ],
    [
      68,
      'src/stores/checkout-problems.ts',
      "availability !== 'sold'",
      "availability === 'unpriced'",
      CHECKOUT_TEST,
      'has to be removed first',
    ],
  ],
  [
    [
      27,
      'src/domain/price-check.ts',
      'return { ...line, name: today.name, image: today.image, price };',
      'return { ...line, price };',
      CART_TEST,
      'the catalogue decides',
    ],
    [
      74,
      'src/stores/checkout-attempt.ts',
      'decode(readStored(ATTEMPT_KEY)) ?? write',
      'write',
      THREE_TABS,
      'three tabs, double clicks',
    ],
    [
      75,
      'src/stores/payment.ts',
      "if (order && order !== 'unknown' && !isPayable(order)) $payment.set({ view: 'closed', order });",
      '',
      'tests/e2e/payment-back.test.ts',
      'reads the payment anew',
    ],
  ],
];

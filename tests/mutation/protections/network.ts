import type { Protection } from '#tests/mutation/protection.ts';

const CLIENT = 'src/api/client.ts';
const CLIENT_TEST = 'tests/unit/api/client.test.ts';
const CATALOG = 'src/catalog.ts';
const CATALOGUE_TEST = 'tests/publish/catalogue.test.ts';
const BUILD_TEST = 'tests/publish/build.test.ts';
const PRODUCT = 'src/api/schema/product.ts';
const PRODUCT_TEST = 'tests/unit/api/schema/product.test.ts';
const FIELDS_TEST = 'tests/unit/api/schema/every-field.test.ts';
const PAYMENT_TEST = 'tests/unit/api/schema/payment.test.ts';
const PLACE_ORDER = 'src/stores/place-order.ts';
const PLACE_ORDER_TEST = 'tests/unit/stores/place-order.test.ts';
const PLACE_ONCE = 'scripts/api/place-order-once.ts';
const ORDERS_TEST = 'tests/api/orders.test.ts';

/** Faults 1 to 22. */
export const NETWORK: readonly Protection[] = [
  [
    1,
    CATALOG,
    'if (result.ok) return result.value;',
    'if (result.ok) return result.value; throw result.failure;',
    BUILD_TEST,
  ],
  [
    1,
    CLIENT,
    'limit: 2,',
    'limit: 2, shouldRetry: ({ error }) => (isHTTPError(error) ? undefined : false),',
    CLIENT_TEST,
  ],
  [
    2,
    CATALOG,
    'const result = unwrapOrFail(await fetchProductPage(page, WIRE_LIMIT), endpoint);',
    'const answer = await fetchProductPage(page, WIRE_LIMIT); if (!answer.ok) break; const result = { ...answer.value, total: byId.size };',
    BUILD_TEST,
  ],
  [3, CATALOG, 'byId.size + dropped >= total', 'true', CATALOGUE_TEST],
  [3, CATALOG, '&& now === before', '', CATALOGUE_TEST],
  [4, CATALOG, 'products.length === 0', 'false', CATALOGUE_TEST],
  [
    4,
    'scripts/publish/checks/catalogue.ts',
    'MOST_LOST = 0.3',
    'MOST_LOST = 0.5',
    'tests/publish/publish.test.ts',
  ],
  [
    4,
    'scripts/publish/main.ts',
    "allowShrink: values['allow-shrink'],",
    '',
    'tests/publish/commands.test.ts',
  ],
  [
    5,
    'src/stores/price-check.ts',
    'answer ? [[id, toToday(answer)] as const] : []',
    "[[id, toToday(answer ?? 'gone')] as const]",
    'tests/unit/stores/price-check.test.ts',
  ],
  [7, CLIENT, 'limit: 2,', 'limit: 0,', CLIENT_TEST],
  [7, CLIENT, 'jitter: true', 'jitter: false', CLIENT_TEST],
  [8, CLIENT, 'maxRetryAfter: RETRY_AFTER_LIMIT_MS,', '', CLIENT_TEST],
  [
    9,
    'src/stores/server-text.ts',
    'status !== TOO_MANY || retryAfterSeconds === undefined',
    'true',
    'tests/unit/stores/server-text.test.ts',
  ],
  [
    10,
    'src/api/answer.ts',
    '  } catch {\n    return undefined;\n',
    '  } catch (error) {\n    throw error;\n',
    CLIENT_TEST,
  ],
  [11, 'src/api/answer.ts', 'isJson(response) ?', 'true ?', CLIENT_TEST],
  [12, CLIENT, 'ERROR_TEXT_LIMIT = 200', 'ERROR_TEXT_LIMIT = 100_000', CLIENT_TEST],
  [13, PRODUCT, 'v.object({\n    id: Id,', 'v.strictObject({\n    id: Id,', PRODUCT_TEST],
  [14, 'src/api/schema/lenient.ts', "v.fallback(v.string(), '')", 'v.string()', PRODUCT_TEST],
  [
    14,
    PRODUCT,
    'await keepValidInSlices(WireProduct, data)',
    '{ valid: v.parse(v.array(WireProduct), data), dropped: [] }',
    PRODUCT_TEST,
  ],
  [14, 'src/api/schema/account.ts', 'firstName: text(200)', 'firstName: v.string()', FIELDS_TEST],
  [
    14,
    'src/api/schema/payment.ts',
    'v.fallback(v.optional(WireAction), undefined)',
    'v.optional(WireAction)',
    FIELDS_TEST,
  ],
  [
    14,
    'src/api/schema/order.ts',
    '(await keepValidInSlices(OrderObject, orders.slice(0, ORDER_LIMIT))).valid',
    'v.parse(v.array(OrderObject), orders)',
    FIELDS_TEST,
  ],
  [16, 'src/api/schema/payment.ts', 'FIELD_LIMIT = 100', 'FIELD_LIMIT = 1_000', PAYMENT_TEST],
  [
    16,
    'src/api/schema/lenient.ts',
    'v.fallback(v.array(v.unknown()), [])',
    'v.array(v.unknown())',
    PAYMENT_TEST,
  ],
  [
    17,
    'scripts/api/app.ts',
    'siteOrigins.includes(origin) ? origin : null',
    'origin',
    'tests/api/http.test.ts',
  ],
  [18, 'src/stores/idle.ts', "addEventListener('online', run);", '', 'tests/unit/stores/connection.test.ts'],
  [19, PLACE_ORDER, 'RESENDS = 2', 'RESENDS = 0', PLACE_ORDER_TEST],
  [
    20,
    PLACE_ORDER,
    'now.value.find((id) => !before?.includes(id))',
    'now.value.find(() => false)',
    PLACE_ORDER_TEST,
  ],
  [20, PLACE_ORDER, 'wasUnknown && isBusy(result.failure)', 'false', PLACE_ORDER_TEST],
  [20, PLACE_ORDER, "if (!now.ok) return { kind: 'unknown' };", 'if (!now.ok) return;', PLACE_ORDER_TEST],
  [20, PLACE_ORDER, 'sentBefore(attempt, fingerprint) !== undefined', 'false', PLACE_ORDER_TEST],
  [
    20,
    PLACE_ORDER,
    "return before ? { kind: 'placed', orderId } : { kind: 'unknown' };",
    "return { kind: 'placed', orderId };",
    PLACE_ORDER_TEST,
  ],
  [
    6,
    'src/api/limits.ts',
    'ask(limit.signal)',
    'ask(new AbortController().signal)',
    'tests/unit/api/client.test.ts',
  ],
  [21, PLACE_ONCE, 'if (known) return known.answer;', '', ORDERS_TEST],
  [21, PLACE_ONCE, 'known && known.bodyHash !== bodyHash', 'false', ORDERS_TEST],
  [22, 'src/domain/date.ts', 'month === undefined', 'false', 'tests/unit/domain/date.test.ts'],
];

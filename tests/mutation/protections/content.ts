import type { Protection } from '#tests/mutation/protection.ts';

const TARGET = 'src/domain/payment-target.ts';
const TARGET_TEST = 'tests/unit/domain/payment-target.test.ts';
const PAYMENT = 'src/domain/payment.ts';
const PAYMENT_TEST = 'tests/unit/domain/payment.test.ts';
const POLICIES = 'src/policies.ts';
const POLICIES_TEST = 'tests/unit/policy-html.test.ts';
const CATALOG = 'src/catalog.ts';
const CATALOGUE_TEST = 'tests/publish/catalogue.test.ts';
const ODD_SHOP_TEST = 'tests/publish/odd-shop.test.ts';
const FRAGMENT = 'src/domain/listing-fragment.ts';
const FRAGMENT_TEST = 'tests/unit/domain/listing-fragment.test.ts';

const PAGE_BYTES_TEST = 'tests/unit/domain/page-bytes.test.ts';

/** Faults 47 to 62. */
export const CONTENT: readonly Protection[] = [
  [
    47,
    'src/components/product/Detail.astro',
    '<h1 lang="en-IN">{name}</h1>',
    '<h1 lang="en-IN" set:html={name} />',
    ODD_SHOP_TEST,
  ],
  [
    47,
    'src/components/product/Detail.astro',
    '<p lang="en-IN">{description}</p>',
    '<p set:html={description} />',
    ODD_SHOP_TEST,
  ],
  [
    48,
    'src/pages/product/[id].astro',
    'scriptJson(productData(product, pictures))',
    'JSON.stringify(productData(product, pictures))',
    ODD_SHOP_TEST,
  ],
  [
    48,
    'src/pages/index.astro',
    'scriptJson(storeData(store))',
    'JSON.stringify(storeData(store))',
    ODD_SHOP_TEST,
  ],
  [
    48,
    'src/components/json.ts',
    "\n    .replaceAll('<', '\\\\u003c')",
    '',
    'tests/unit/components/json.test.ts',
  ],
  [49, POLICIES, 'allowProtocolRelative: false', 'allowProtocolRelative: true', POLICIES_TEST],
  [49, POLICIES, 'id: ID_PREFIX + id', 'id', POLICIES_TEST],
  [
    50,
    'src/domain/redirect.ts',
    "url.protocol === 'https:' || url.protocol === 'http:'",
    'true',
    'tests/unit/domain/redirect.test.ts',
  ],
  [
    51,
    'src/api/image.ts',
    "internal.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')",
    'address === internal.toString()',
    'tests/unit/api/image.test.ts',
  ],
  [
    51,
    'src/images/encode.ts',
    'width * height > PIXELS_LIMIT',
    'false',
    'tests/unit/images/pictures.test.ts',
  ],
  [52, TARGET, "url.username !== '' || url.password !== ''", 'false', TARGET_TEST],
  [53, TARGET, 'DEEP_LINK_SCHEMES.includes(url.protocol)', "url.protocol !== 'javascript:'", TARGET_TEST],
  [54, TARGET, 'hosts.length === 0 || hosts.some((name) => isNamed(url.host, name))', 'true', TARGET_TEST],
  [55, PAYMENT, "body.startsWith('/9j/') ? 'jpeg' : undefined", "'jpeg'", PAYMENT_TEST],
  [55, PAYMENT, ' && new TextEncoder().encode(text).length <= QR_TEXT_LIMIT', '', PAYMENT_TEST],
  [55, PAYMENT, '!/\\p{Cs}/u.test(text) && ', '', PAYMENT_TEST],
  [56, 'src/domain/pattern.ts', ' || BACKWARDS.test(pattern)', '', 'tests/unit/domain/pattern.test.ts'],
  [
    57,
    'scripts/api/http/request-body.ts',
    'if (isReserved(name)) throw',
    'if (false) throw',
    'tests/api/orders.test.ts',
  ],
  [
    57,
    'src/api/schema/lenient.ts',
    'return new Map(pairs.slice(0, limit));',
    'return new Map(Object.entries(Object.assign({}, Object.fromEntries(pairs))));',
    'tests/unit/api/schema/store-info.test.ts',
  ],
  [
    57,
    'src/domain/product.ts',
    'Object.hasOwn(OPTION_LABELS, keyOf(attribute))',
    'keyOf(attribute) in OPTION_LABELS',
    'tests/unit/domain/product.test.ts',
  ],
  [57, CATALOG, ' || RESERVED_IDS.has(id)', '', CATALOGUE_TEST],
  [
    58,
    'src/domain/payment-form.ts',
    'showWhenFilled.some((name) => filled.has(name))',
    'showWhenFilled.every((name) => filled.has(name) || !fields.some((field) => field.name === name))',
    'tests/unit/domain/payment-form.test.ts',
  ],
  [
    59,
    'src/domain/listing.ts',
    'const text = [search.toString(), refined]',
    'const text = [[...search].map((pair) => pair.join("=")).join("&"), refined]',
    'tests/unit/domain/listing.test.ts',
  ],
  [60, CATALOG, 'if (other !== undefined)', 'if (false)', CATALOGUE_TEST],
  [60, CATALOG, '!SAFE_ID.test(id)', 'false', CATALOGUE_TEST],
  [
    61,
    'src/domain/policy.ts',
    'Object.hasOwn(POLICIES, slug)',
    'slug in POLICIES',
    'tests/unit/domain/policy.test.ts',
  ],
  [
    61,
    'src/pages/[policy].astro',
    '(() =>\n  Object.keys(POLICIES)\n    .filter(isPolicySlug)\n',
    '(async () =>\n  Object.keys({ ...POLICIES, ...Object.fromEntries((await catalog()).store.policies) })\n',
    ODD_SHOP_TEST,
  ],
  [62, FRAGMENT, ' || fragments.size >= FRAGMENT_LIMIT', '', FRAGMENT_TEST],
  [62, 'src/domain/product.ts', '.slice(0, OPTION_LIMIT)', '', 'tests/unit/domain/product.test.ts'],
  [62, 'src/domain/page-bytes.ts', 'return code < 0x1_00_00 ? 3 : 4', 'return 1', PAGE_BYTES_TEST],
  [62, 'src/domain/listing.ts', 'name.length <= OFFERED_LENGTH', "name !== ''", ODD_SHOP_TEST],
];

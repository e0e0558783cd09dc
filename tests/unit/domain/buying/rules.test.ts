import { expect, test } from 'vitest';
import { availabilityOf, availabilityText } from '#domain/buying/availability.ts';
import type { LineFacts, ProductBuying, StoreTerms } from '#domain/buying/facts.ts';
import { lineFacts } from '#domain/buying/facts.ts';
import { BUYING, toHindi } from '#domain/buying/hindi.ts';
import { problemsOf, RULES, sentenceOf } from '#domain/buying/rules.ts';

const NOW = Date.parse('2026-11-14T18:00:00+05:30');

const kurta = { name: 'Kurta', price: 899, sizes: ['S', 'M'], colors: ['Red', 'Blue'] };
const mango = { name: 'Mango', price: 100, sizes: [], colors: [] };

const lineOf = (buying: ProductBuying, quantity = 1, size = ''): LineFacts => {
  const line = { id: 'a', quantity, selectedSize: size, selectedColor: '' };
  const [facts] = lineFacts([line], () => ({
    name: 'Mango',
    product: { ...(size ? kurta : mango), buying },
  }));
  return facts as LineFacts;
};

const lineProblems = (facts: LineFacts, now = NOW) => problemsOf('line', facts, now).map(sentenceOf1);
const sentenceOf1 = (problem: Parameters<typeof sentenceOf>[0]) => sentenceOf(problem);

const STORE: StoreTerms = {
  delivery: { charge: 40, freeFrom: null, places: [], days: '', bulkDays: '' },
  orderMinimum: null,
  pause: { from: '', until: '', sentence: '' },
  served: [],
  cashOnDelivery: { most: null, pinCodes: [] },
  paymentMethods: [],
};

test.each<[string, ProductBuying, number, string, string[]]>([
  ['nothing about a product without facts', {}, 9_999, '', []],
  ['what is sold out', { availability: 'sold_out' }, 1, '', ['“Mango” is sold out.']],
  ['how many are left', { availability: 'few_left', left: 3 }, 4, '', ['“Mango”: only 3 left.']],
  ['nothing if enough are left', { availability: 'few_left', left: 3 }, 3, '', []],
  [
    'no number above five',
    { availability: 'in_stock', left: 6 },
    7,
    '',
    ['“Mango”: fewer are left than you want. Please take fewer.'],
  ],
  [
    'the day on which it is back',
    { availability: 'back_on', backOn: '2026-11-15' },
    1,
    '',
    ['“Mango” is sold out. It is back on 15 November 2026.'],
  ],
  ['nothing on that day', { availability: 'back_on', backOn: '2026-11-14' }, 1, '', []],
  ['the most of an order', { maxPerOrder: 2 }, 3, '', ['“Mango”: at most 2 in one order.']],
  ['the least of an order', { minPerOrder: 5 }, 4, '', ['“Mango”: at least 5 in one order.']],
  ['nothing within both', { minPerOrder: 2, maxPerOrder: 2 }, 2, '', []],
  [
    'which size is sold out',
    { availability: 'in_stock', sizes: [{ size: 'M', availability: 'sold_out' }] },
    1,
    'M',
    ['“Mango, M” is sold out.'],
  ],
  [
    'nothing about another size',
    { availability: 'in_stock', sizes: [{ size: 'M', availability: 'sold_out' }] },
    1,
    'S',
    [],
  ],
])('a line says %s', (_, buying, quantity, size, sentences) =>
  expect(lineProblems(lineOf(buying, quantity, size))).toEqual(sentences),
);

test('a line of a product that is no longer sold, without a price or without the option says so', () => {
  const facts = lineOf({}, 1, 'M');
  const ofProduct = (product: LineFacts['product'], size = 'M') => lineProblems({ ...facts, product, size });
  expect(ofProduct('discontinued')).toEqual(['“Mango” is no longer sold.']);
  expect(ofProduct({ ...kurta, price: 0 })).toEqual(['“Mango” has no price at the moment.']);
  expect(ofProduct(kurta, 'XL')).toEqual(['“Mango” is not sold as XL. Please choose it again.']);
  expect(ofProduct(kurta, '')).toEqual([]);
});

test('pieces of a product count together, in all its sizes and colours', () => {
  const line = (selectedSize: string, selectedColor: string, quantity: number) => ({
    id: 'kurta',
    selectedSize,
    selectedColor,
    quantity,
  });
  const buying: ProductBuying = {
    availability: 'few_left',
    maxPerOrder: 6,
    sizes: [{ size: 'M', availability: 'few_left', left: 3 }],
  };
  const facts = lineFacts([line('M', 'Red', 2), line('M', 'Blue', 2), line('S', 'Red', 3)], () => ({
    name: 'Kurta',
    product: { ...kurta, buying },
  }));
  const most = '“Kurta”: at most 6 in one order.';
  expect(facts.map((each) => each && lineProblems(each))).toEqual([
    ['“Kurta, M”: only 3 left.', most],
    ['“Kurta, M”: only 3 left.', most],
    [most],
  ]);
});

test('an order says how much is missing and until when the shop pauses', () => {
  const ofOrder = (store: Partial<StoreTerms>, now = NOW, subtotal = 25_000) =>
    problemsOf('order', { store: { ...STORE, ...store }, lines: [], subtotal }, now).map(sentenceOf1);
  expect(ofOrder({})).toEqual([]);
  expect(ofOrder({ orderMinimum: 300 })).toEqual(['Orders begin at ₹300, without delivery. ₹50 is missing.']);
  expect(ofOrder({ orderMinimum: 300 }, NOW, 30_000)).toEqual([]);
  const pause = { from: '2026-11-08', until: '2026-11-14', sentence: 'We are at a wedding.' };
  const sentence =
    'We take no orders until 14 November 2026. You can order again from 15 November 2026. We are at a wedding.';
  const at = (time: string) => ofOrder({ pause }, Date.parse(`${time}+05:30`));
  expect(at('2026-11-07T23:59:59')).toEqual([]);
  expect(at('2026-11-08T00:00:00')).toEqual([sentence]);
  expect(at('2026-11-14T23:59:59')).toEqual([sentence]);
  expect(at('2026-11-15T00:00:00')).toEqual([]);
  expect(ofOrder({ pause: { ...pause, from: '' } })).toEqual([sentence]);
  expect(ofOrder({ pause: { ...pause, until: '' } })).toEqual([]);
});

test('a place says that it is not served, or that no payment method is left', () => {
  const ofPlace = (store: Partial<StoreTerms>, postalCode: string, total?: number) =>
    problemsOf('place', { store: { ...STORE, ...store }, lines: [], postalCode, total }, NOW).map(
      sentenceOf1,
    );
  expect(ofPlace({}, '110001')).toEqual([]);
  expect(ofPlace({ served: ['411', '412'] }, '४११ ००१')).toEqual([]);
  expect(ofPlace({ served: ['411', '412'] }, '110001')).toEqual([
    'We do not deliver to 110001. We deliver to PIN codes that begin with 411, 412.',
  ]);
  const cash = { paymentMethods: ['cash'], cashOnDelivery: { most: 500, pinCodes: ['411'] } } as const;
  expect(ofPlace(cash, '411001', 50_000)).toEqual([]);
  expect(ofPlace(cash, '110001')).toEqual([
    'There is no way to pay at 110001: we do not collect cash there.',
  ]);
  expect(ofPlace(cash, '411001', 50_001)).toEqual([
    'There is no way to pay for this order: you can pay up to ₹500 in cash.',
  ]);
  expect(ofPlace({ ...cash, paymentMethods: ['online', 'cash'] }, '110001', 50_001)).toEqual([]);
});

test('every sentence has its Hindi, with the same figures and Hindi days', () => {
  const texts = Object.values(RULES).flatMap((rules) => Object.values(rules).map(({ text }) => text));
  const figuresOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
  for (const text of texts) {
    expect(BUYING, text).toHaveProperty([text]);
    expect(figuresOf(BUYING[text] ?? ''), text).toEqual(figuresOf(text));
  }
  const [problem] = problemsOf('line', lineOf({ backOn: '2026-11-15' }), NOW);
  expect(problem && sentenceOf(problem, toHindi)).toBe('“Mango” ख़त्म हो गया है। यह 15 नवंबर 2026 को फिर मिलेगा।');
});

test.each<[ProductBuying | 'discontinued' | undefined, string, string]>([
  [undefined, 'in_stock', ''],
  ['discontinued', 'discontinued', 'This product is no longer available.'],
  [{ availability: 'few_left', left: 2 }, 'few_left', 'Only 2 left'],
  [{ availability: 'few_left' }, 'few_left', ''],
  [{ availability: 'sold_out' }, 'sold_out', 'Sold out'],
  [{ availability: 'back_on', backOn: '2027-04-15' }, 'back_on', 'Sold out, back on 15 April 2027'],
  [{ availability: 'back_on', backOn: '2027-04-01' }, 'back_on', 'Sold out, back in April'],
  [{ availability: 'back_on', backOn: '2026-11-14' }, 'in_stock', ''],
  [
    { availability: 'in_stock', sizes: [{ size: 'M', availability: 'few_left', left: 1 }] },
    'few_left',
    'Only 1 left',
  ],
])('a page shows what %o means', (buying, availability, text) => {
  const product = buying === 'discontinued' ? buying : { price: 100, buying };
  expect([availabilityOf(product, NOW, 'M'), availabilityText(product, NOW, 'M')]).toEqual([
    availability,
    text,
  ]);
});

import * as v from 'valibot';
import { expect, test } from 'vitest';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { OptionalRupeesTextSchema, RupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { PriceSchema } from '#server/http/sent-values.ts';
import { documentOf, filledForm, renderForm } from '#tests/server/support/admin.ts';

const OPTIONS = [
  { value: 'S', label: 'Small' },
  { value: 'L', label: 'Large' },
];

const product = defineForm(
  v.strictObject({
    title: v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty')),
    text: v.string(),
    price: PriceSchema,
    salePrice: v.nullable(PriceSchema),
    size: v.picklist(['S', 'L']),
    colours: v.pipe(v.array(v.string()), v.minLength(1, 'needs a value')),
    featured: v.boolean(),
    picture: v.optional(v.file('Choose a picture')),
  }),
  {
    title: { label: 'Title', hint: 'As on the card', control: 'text' },
    text: { label: 'Description', control: 'textarea' },
    price: { label: 'Price', control: 'number' },
    salePrice: { label: 'Sale price', control: 'number', isOptional: true },
    size: { label: 'Size', control: 'select', options: OPTIONS },
    colours: { label: 'Colours', control: 'lines' },
    featured: { label: 'Featured', control: 'checkbox' },
    picture: { label: 'Picture', control: 'file', accept: 'image/png', isOptional: true },
  },
);

const GOOD = {
  title: 'Mango',
  text: '\nfirst\r\nsecond <b>',
  price: '99.50',
  salePrice: '',
  size: 'L',
  colours: 'red\r\n\r\n green ',
  featured: 'on',
};

function formData(fields: Readonly<Record<string, string | readonly string[]>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) form.append(name, one);
  return form;
}

const render = (view: Partial<Parameters<typeof renderForm>[0]>) =>
  renderForm({ fields: product.fields, action: '/x', submit: 'Save', ...view });

test('parses a form into the values of its schema', () => {
  const form = formData(GOOD);
  form.append('picture', new File(['bytes'], 'mango.png', { type: 'image/png' }));
  expect(parseForm(product, form)).toMatchObject({
    isValid: true,
    output: {
      title: 'Mango',
      text: '\nfirst\nsecond <b>',
      price: 99.5,
      salePrice: null,
      size: 'L',
      colours: ['red', 'green'],
      featured: true,
      picture: expect.any(File),
    },
  });
});

test('names the field of each error, and returns the input exactly as typed', async () => {
  const typed = { ...GOOD, title: ' ', price: '12,50 Rs', salePrice: '1.234', size: 'XL', colours: '' };
  const parsed = parseForm(product, formData(typed));
  if (parsed.isValid) throw new Error('It has errors.');
  expect(Object.fromEntries(parsed.errors)).toEqual({
    title: 'Enter: Title',
    price: 'Price must be a number of rupees',
    salePrice: 'Sale price has more than two decimals',
    size: 'Size cannot be used',
    colours: 'Colours needs a value',
  });
  const html = render(parsed);
  const { size: _, ...kept } = { ...typed, text: '\nfirst\nsecond <b>' };
  expect(Object.fromEntries(filledForm(html, '/x'))).toMatchObject(kept);
  const page = documentOf(html);
  for (const link of page.querySelectorAll('[role=alert] a')) {
    expect(page.querySelector(link.getAttribute('href') ?? ''), link.outerHTML).not.toBeNull();
  }
  const title = page.querySelector('#field-title');
  expect(title?.getAttribute('aria-invalid')).toBe('true');
  expect(title?.getAttribute('aria-describedby')).toBe('field-title-hint field-title-error');
});

test('reports each required field of an empty form', () => {
  const parsed = parseForm(product, new FormData());
  if (parsed.isValid) throw new Error('It has errors.');
  expect([...parsed.errors.keys()]).toEqual(['title', 'price', 'size', 'colours']);
  expect(parsed.errors.get('price')).toBe('Enter: Price');
});

test('sends a form with a file as multipart, and renders hostile values as text', async () => {
  const html = render({ values: { title: '"><script>', text: '</textarea><script>', colours: '<b>' } });
  const page = documentOf(html);
  expect(page.querySelector('form')?.getAttribute('enctype')).toBe('multipart/form-data');
  expect(page.querySelectorAll('script, b')).toHaveLength(0);
  expect(page.querySelector('#field-title')?.getAttribute('value')).toBe('"><script>');
});

test('an amount is read as it is written, and only an optional one may be empty', () => {
  for (const rupees of [129.5, 1_299, 0]) expect(v.parse(RupeesTextSchema, rupeesText(rupees))).toBe(rupees);
  for (const schema of [RupeesTextSchema, OptionalRupeesTextSchema])
    expect(v.is(schema, '12,50')).toBe(false);
  expect([v.is(RupeesTextSchema, ' '), v.parse(OptionalRupeesTextSchema, ' ')]).toEqual([false, null]);
});

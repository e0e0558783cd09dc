import * as v from 'valibot';
import { expect, it } from 'vitest';
import { AccountSchema, TokenSchema } from '#api/schema/account.ts';
import { LenientOrderSchema, OrdersSchema } from '#api/schema/order.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#api/schema/payment.ts';
import { ProductPageSchema, SingleProductSchema } from '#api/schema/product.ts';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { PRODUCT_TERMS } from '#domain/buying/facts.ts';
import { type LeafField, recordFrom } from '#domain/store-fields.ts';
import { changeAt, MISSING, nested, type Path, pathsOf } from '#tests/support/json-places.ts';
import { MEERA } from '#tests/support/samples.ts';

/** Kinds of bad values: missing, null, of the wrong type, empty, huge, nested. */
const BAD: Readonly<Record<string, (value: unknown) => unknown>> = {
  missing: () => MISSING,
  null: () => null,
  'an object': (value) => ({ value }),
  'empty text': () => '',
  'empty list': () => [],
  'long text': () => 'long '.repeat(20_000),
  'deep nest': () => nested(400),
};
/** Values that no field accepts. The field must take the same default as if it were missing. */
const NONE = ['null', 'an object', 'deep nest'];

const picture = 'https://api.example/mango.webp';
const product = {
  id: 'mango',
  title: 'Alphonso Mango',
  description: 'Sweet.',
  imgUrl: picture,
  category: 'Tropical Fruits',
  parentCategory: 'Fresh Fruits',
  regularPrice: 1099,
  discountedPrice: 899,
  saleFrom: '2026-11-12T10:00+05:30',
  saleUntil: '2026-11-13T10:00+05:30',
  images: [{ url: `${picture}?2` }],
  attributes: [
    { key: 'Size', values: ['6 pieces'] },
    { key: 'Colour', value: 'Yellow' },
    { key: 'Net weight', value: ['1.5'], metricUnit: 'kg' },
  ],
  createdAt: '2026-11-12T10:00:00Z',
  availability: 'few_left',
  left: 2,
  backOn: '2027-04-15',
  minPerOrder: 1,
  maxPerOrder: 2,
  sizes: [{ size: '6 pieces', availability: 'few_left', left: 2 }],
};
const OF_KIND: Readonly<Record<LeafField['kind'], unknown>> = {
  text: 'Text',
  picture,
  money: 49.5,
  whole: 7,
  digits: ['411001', '4110'],
  charges: [{ digits: '4110', charge: 25 }],
};
const store = {
  ...recordFrom(({ field }) => OF_KIND[field.kind]),
  categories: ['Berries', 'Melons'],
  categoryImages: { Berries: picture },
  policies: { terms: '<p>Terms</p>' },
  paymentProviders: [{ name: 'Razorpay', receives: 'the amount' }],
  paymentMethods: ['cash'],
  mailProvider: 'Example Mail',
  retention: [{ what: 'an email', days: 30, after: 'it was sent' }],
  moved: { categories: { berries: 'Soft fruit' }, products: { old: 'mango' } },
};
const order = {
  id: 'order-1',
  status: 1,
  tracking: { carrier: 'Delhivery', number: 'AB1', url: 'https://www.delhivery.com/track-v2/package/AB1' },
  parcels: [{ carrier: '', number: 'AB0', url: '' }],
  events: [{ status: 1, at: '2026-11-12T11:00:00Z' }],
  createdAt: '2026-11-12T10:00:00Z',
  items: [
    {
      id: 'mango',
      line: '0',
      productTitle: 'Alphonso Mango',
      quantity: 2,
      price: 899,
      selectedSize: 'Box of 6',
      selectedColor: 'Yellow',
    },
  ],
  number: 'FF-1042-7K3Q',
  extras: [{ label: 'Note to the courier', value: 'Ring twice' }],
  shippingAddress: MEERA,
  amounts: [{ id: 'subtotal', name: 'Subtotal', amount: 899 }],
  total: 899,
  paid: 99.5,
  due: 700,
  payOnDelivery: true,
  adjustments: [{ name: 'Lowered', amount: 99.5 }],
  paymentStartedAt: '2026-11-12T10:01:00Z',
  refunds: [{ amount: 99.5, state: 'refunded', at: '2026-11-13T10:00:00Z' }],
};
const account = {
  firstName: 'Asha',
  lastName: 'Rao',
  email: 'asha@example.com',
  createdAt: '2026-11-12T10:00:00Z',
  newEmail: 'asha@new.example',
};
const payment = {
  success: true,
  error: 'e',
  target: 'method',
  redirectUrl: 'https://pay.example/',
  action: {
    type: 'qr',
    redirectUrl: 'https://pay.example/',
    formParams: { type: 'form', url: 'https://pay.example/', data: { reference: 'r' } },
    qr: 'upi://pay',
    qrBase64: 'iVBORw0KGgo',
  },
};
const field = {
  name: 'method',
  label: 'Method',
  placeholder: 'How',
  description: 'To pay with',
  type: 'select',
  options: ['UPI', 'Card'],
  inline: true,
  mask: '9999',
  rules: { required: true, minLength: 1, maxLength: 9, pattern: '^U' },
  rulesMessages: ['Choose one'],
  defaultValue: 'UPI',
  showWhenFilled: ['bank'],
};

/** The fields of an object's schema. */
function fieldsOf(schema: unknown): string[] {
  if (v.is(v.object({ entries: v.record(v.string(), v.unknown()) }), schema))
    return Object.keys(schema.entries);
  return v.is(v.object({ pipe: v.array(v.unknown()) }), schema) ? schema.pipe.flatMap(fieldsOf) : [];
}

const spoil = (answer: unknown, path: Path, bad: string): unknown =>
  changeAt(answer, path, BAD[bad] ?? (() => undefined));

interface Answer {
  readonly schema: v.GenericSchema;
  readonly good: Readonly<Record<string, unknown>>;
  /** Required: without a valid value the whole response is unreadable. */
  readonly needed: readonly string[];
  /** Output fields that are read from a field with another name, or from several. */
  readonly feeds?: Readonly<Record<string, readonly string[]>>;
  /** Fields that accept any object or number. */
  readonly anything?: readonly string[];
}

const prices = ['price', 'originalPrice'];
const pictures = ['image', 'images'];

const ANSWERS: Readonly<Record<string, Answer>> = {
  product: {
    schema: SingleProductSchema,
    good: product,
    needed: ['id', 'title', 'regularPrice', 'discountedPrice'],
    feeds: {
      title: ['name'],
      regularPrice: prices,
      discountedPrice: prices,
      imgUrl: pictures,
      images: pictures,
      attributes: ['attributes', 'sizes', 'colors', 'featured'],
      ...Object.fromEntries(
        [...Object.keys(PRODUCT_TERMS), 'availability', 'left', 'sizes'].map((name) => [name, ['buying']]),
      ),
    },
  },
  'store record': { schema: StoreInfoSchema, good: store, needed: [] },
  order: {
    schema: LenientOrderSchema,
    good: order,
    needed: ['id'],
    anything: ['status'],
    feeds: { total: ['amounts'] },
  },
  account: { schema: AccountSchema, good: account, needed: ['email'] },
  token: {
    schema: TokenSchema,
    good: { token: 'abc123', device: 'device-0123456789' },
    needed: [],
  },
  payment: { schema: PaymentResponseSchema, good: payment, needed: ['success'], anything: ['action'] },
};

const Output = v.record(v.string(), v.unknown());

it.each(Object.entries(ANSWERS))('%s: a bad field does not affect the others', (_, answer) => {
  const { schema, good, needed, feeds = {}, anything = [] } = answer;
  // The store record is read value by value, so its fields are those of an empty answer.
  const fields = schema === StoreInfoSchema ? Object.keys(v.parse(StoreInfoSchema, {})) : fieldsOf(schema);
  expect(Object.keys(good).sort()).toEqual(fields.sort());
  const whole = v.parse(Output, v.parse(schema, good));
  for (const path of pathsOf(good)) {
    const [top = ''] = path;
    const name = String(top);
    const fed = feeds[name] ?? [name];
    for (const bad of Object.keys(BAD)) {
      const read = v.safeParse(schema, spoil(good, path, bad));
      const where = `${path.join('.')} ${bad}`;
      if (!read.success) {
        expect(path.length > 1 ? [] : ['', ...needed], where).toContain(name);
        continue;
      }
      if (name === '') continue;
      const output = v.parse(Output, read.output);
      const others = Object.entries(whole).filter(([key]) => !fed.includes(key));
      expect(output, where).toMatchObject(Object.fromEntries(others));
      if (path.length > 1 || !NONE.includes(bad) || anything.includes(name)) continue;
      expect(output, where).toEqual(v.parse(schema, spoil(good, path, 'missing')));
    }
  }
});

interface List {
  readonly schema: v.GenericSchema | v.GenericSchemaAsync;
  readonly good: object;
  readonly other: object;
}

const PageOutput = v.object({ products: v.array(v.unknown()), dropped: v.array(v.unknown()) });

/** The parsed elements of a list, and the number of dropped ones if it is counted. */
async function readList(
  schema: List['schema'],
  data: unknown,
): Promise<{ valid: unknown[]; dropped?: number }> {
  const output = await v.parseAsync(schema, { data });
  if (!v.is(PageOutput, output)) return { valid: v.parse(v.array(v.unknown()), output) };
  return { valid: output.products, dropped: output.dropped.length };
}

const LISTS: Readonly<Record<string, List>> = {
  products: { schema: ProductPageSchema, good: product, other: { ...product, id: 'kiwi' } },
  orders: { schema: OrdersSchema, good: order, other: { ...order, id: 'order-2' } },
  'payment fields': { schema: PaymentFieldsSchema, good: field, other: { ...field, name: 'bank' } },
};

it.each(Object.entries(LISTS))(
  '%s: a bad element is left out or read without its bad fields, and the others are shown',
  async (_, list) => {
    const { schema, good, other } = list;
    const alone = (await readList(schema, [other])).valid;
    for (const path of pathsOf(good)) {
      for (const bad of Object.keys(BAD)) {
        const data = [...v.parse(v.array(v.unknown()), spoil([good], [0, ...path], bad)), other];
        const where = `${path.join('.')} ${bad}`;
        const { valid, dropped } = await readList(schema, data);
        expect(valid.slice(-1), where).toEqual(alone);
        expect(valid.length + (dropped ?? data.length - valid.length), where).toBe(data.length);
      }
    }
  },
);

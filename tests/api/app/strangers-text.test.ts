import * as v from 'valibot';
import { expect, it } from 'vitest';
import { API_CALLS } from '#scripts/api/app/calls.ts';

/** Texts that no page, slip or letter ever shows, or that must be a known name. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  'POST /users/authorize body.password': 'is compared byte for byte with what was set',
  'POST /users/authorize body.device': 'is compared with a stored hash',
  'POST /users/register body.password': 'is hashed byte for byte',
  'POST /users/reset-password body.password': 'is hashed byte for byte',
  'POST /users/password body.current': 'is compared byte for byte with what was set',
  'POST /users/password body.password': 'is hashed byte for byte',
  'POST /users/password body.device': 'is compared with a stored hash',
  'POST /users/email body.current': 'is compared byte for byte with what was set',
  'POST /users/email body.device': 'is compared with a stored hash',
  'POST /orders body.products (names)': 'must be the id of a product',
  'POST /orders body.lines.id': 'must be one of the products of the order',
  'GET /products query.page': 'is read as a number',
  'GET /products query.limit': 'is read as a number',
  'GET /products query.gender': 'is compared with the categories',
  'GET /products query.category': 'is compared with the categories',
  'GET /products query.parentCategory': 'is compared with the categories',
  'GET /products query.filter': 'is compared with the categories',
  'GET /orders/:id query.contactInfo':
    'is compared with the email and the phone; phones copy numbers with marks around them',
  'POST /contact body.website': 'is never stored: no person fills it in',
  'POST /payments/callback headers.Gateway-Signature': 'must be the signature of the body',
  'POST /payments/callback body.reference': 'is signed by the gateway, no stranger',
  'POST /payments/callback body.amount': 'is signed by the gateway, no stranger',
  'POST /payments/callback body.currency': 'is signed by the gateway, no stranger',
  'POST /payments body.orderId': 'must be the number of an order',
  'POST /payments body.fields (names)': 'those that are no field of the form are not read',
  'POST /payments body.fields': 'is checked field by field (tests/api/payments/calls.test.ts)',
};

/** Texts of several lines, which are shown so. */
const WITH_LINES = ['POST /contact body.message', 'POST /orders/:id/returns body.reason'];

/** Texts of which each schema of a stranger's text accepts at least one. */
const GOOD = ['Asha Rao', 'asha@example.com', '9876543210', 'a', 'Women', '2'];

const HOSTILE = [
  '\u202e',
  '\u2066',
  '\u200f',
  '\u061c',
  '\u0000',
  '\u0007',
  '\n',
  '\u2028',
  '\u0085',
  '\ud800',
];

const Kind = v.object({ type: v.string() });
const Inner = v.union([
  v.pipe(
    v.object({ entries: v.record(v.string(), v.unknown()) }),
    v.transform(({ entries }) =>
      Object.entries(entries).map(([name, schema]) => [`.${name}`, schema] as const),
    ),
  ),
  v.pipe(
    v.object({ key: v.unknown(), value: v.unknown() }),
    v.transform(({ key, value }) => [[' (names)', key] as const, ['', value] as const]),
  ),
  v.pipe(
    v.object({ item: v.unknown() }),
    v.transform(({ item }) => [['', item] as const]),
  ),
  v.pipe(
    v.object({ wrapped: v.unknown() }),
    v.transform(({ wrapped }) => [['', wrapped] as const]),
  ),
  v.pipe(
    v.object({ options: v.array(Kind) }),
    v.transform(({ options }) => options.map((option) => ['', option] as const)),
  ),
]);

const Piped = v.object({ pipe: v.array(v.unknown()) });

/** The schemas of texts in a schema, each with its place. */
function textsOf(schema: unknown, place: string): [string, unknown][] {
  const inside = v.safeParse(Inner, schema);
  if (inside.success) return inside.output.flatMap(([name, each]) => textsOf(each, place + name));
  if (v.is(v.object({ type: v.literal('string') }), schema)) return [[place, schema]];
  return v.is(Piped, schema) ? schema.pipe.flatMap((step) => textsOf(step, place)) : [];
}

const isSchema = (schema: unknown): schema is v.GenericSchema =>
  typeof schema === 'object' && schema !== null && '~run' in schema;

const takes = (schema: unknown, text: string): boolean =>
  isSchema(schema) && v.safeParse(schema, text).success;

/** Whether a schema takes a text, and gives the sign in it on. */
function keeps(schema: unknown, text: string, sign: string): boolean {
  const parsed = isSchema(schema) && v.safeParse(schema, text);
  return (
    parsed !== false &&
    parsed.success &&
    JSON.stringify(parsed.output).includes(JSON.stringify(sign).slice(1, -1))
  );
}

const TEXTS = API_CALLS.flatMap(({ method, path, request }) =>
  textsOf(request, `${method} ${path}`).map(
    ([place, schema]) => [place.replace(' .', ' ').replace(`${path}.`, `${path} `), schema] as const,
  ),
);

it('[fault 103] no text of a stranger has signs that control or turn what is shown with it', () => {
  const open = TEXTS.filter(([place, schema]) => {
    if (NOT_SHOWN[place] !== undefined) return false;
    const base = GOOD.find((text) => takes(schema, text));
    return (
      base !== undefined &&
      HOSTILE.some(
        (sign) =>
          !(sign === '\n' && WITH_LINES.includes(place)) &&
          (keeps(schema, `${base.slice(0, 1)}${sign}${base.slice(1)}z`, sign) ||
            keeps(schema, base.slice(0, 2) + sign + base.slice(2), sign)),
      )
    );
  });
  expect(open.map(([place]) => place)).toEqual([]);
});

it('knows the texts that it leaves out', () => {
  const places = TEXTS.map(([place]) => place);
  expect(Object.keys(NOT_SHOWN).filter((place) => !places.includes(place))).toEqual([]);
  expect(places).toContain('POST /orders body.shippingAddress.fullName');
});

import * as v from 'valibot';
import { colorsOf, sizesOf } from '#domain/attributes.ts';
import { MAX_QUANTITY } from '#domain/cart.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '#domain/language.ts';
import { formatPaise } from '#domain/money.ts';
import { readQuantity } from '#domain/number-input.ts';
import { phoneNumber } from '#domain/phone.ts';
import { payableAt } from '#domain/sale.ts';
import { FORM_KEY } from '#server/admin/change.ts';
import { ErrorSummary, FieldError, FormField, PostForm } from '#server/admin/forms/Form.tsx';
import { type Errors, type Fields, formStatus } from '#server/admin/forms/field.ts';
import { defineForm, parseForm, sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { NEW_ORDER, ORDERS } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, Lines, LinkButton, NumberCell, Row, Table } from '#server/admin/views/pieces.tsx';
import { OrderRequestSchema } from '#server/orders/schema.ts';
import { CASH_NAME } from '#server/payments/providers/cash/cash.ts';
import type { Services } from '#server/services/services.ts';
import { detailsForm } from './correction-pages.tsx';

/* The form of an order that the staff take. Each of its buttons sends all that was typed. */

/** How it is paid. */
export const WAYS = {
  door: 'In cash, at the door',
  later: 'Later: online by a customer with an account, or in a way that you book',
  paid: 'It is paid: you book it on the next page',
} as const;

const form = defineForm(
  v.object({
    ...detailsForm.schema.entries,
    phone: v.pipe(
      detailsForm.schema.entries.phone,
      v.check((input) => phoneNumber(input) !== undefined, 'must be one number with ten digits'),
    ),
    language: v.picklist(LANGUAGES),
    way: v.picklist(['door', 'later', 'paid'], 'Choose how it is paid'),
  }),
  {
    ...detailsForm.fields,
    language: {
      label: 'Language of the emails',
      control: 'select',
      options: LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
    },
    way: {
      label: 'How is it paid?',
      hint: 'Like every order, one that nobody pays is cancelled after some days.',
      control: 'radios',
      options: Object.entries(WAYS).map(([value, label]) => ({ value, label })),
    },
  },
);

/** The fields, without cash in a shop that does not take it. */
function fieldsFor({ settings }: Services): Fields {
  const { way } = form.fields;
  if (way.control !== 'radios' || settings.paymentProviders.includes(CASH_NAME)) return form.fields;
  return { ...form.fields, way: { ...way, options: way.options.filter(({ value }) => value !== 'door') } };
}

const ProductSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    id: v.string(),
    title: v.string(),
    regularPrice: v.number(),
    discountedPrice: v.nullable(v.number()),
    attributes: v.array(v.object({ key: v.string(), values: v.array(v.string()) })),
    availability: v.optional(v.string()),
    left: v.optional(v.number()),
  }),
);

type Product = v.InferOutput<typeof ProductSchema>;

/** As they were typed. */
interface Line {
  readonly id: string;
  readonly size: string;
  readonly color: string;
  readonly pieces: string;
}

const MAX_FOUND = 12;

/** The lines of a form with pieces. A line is four fields; those of all lines are in one order. */
function linesIn(sent: FormData): Line[] {
  const names = ['size', 'color', 'pieces'] as const;
  const columns = names.map((name) => sent.getAll(`line-${name}`).map(String));
  const lines = sent.getAll('line-id').map((id, index): Line => {
    const [size = '', color = '', pieces = ''] = columns.map((column) => column[index]);
    return { id: String(id), size, color, pieces };
  });
  return lines.filter(({ pieces }) => {
    const { quantity, isWrong } = readQuantity(pieces);
    return quantity !== undefined || isWrong;
  });
}

const stockText = ({ availability, left }: Product): string =>
  ({ sold_out: 'Sold out', back_on: 'Not yet on sale', few_left: `${left} left` })[availability ?? ''] ?? '';

const renderChoice = (name: 'size' | 'color', label: string, values: readonly string[], chosen: string) =>
  values.length > 0 && (
    <select className="control" name={`line-${name}`} aria-label={label} defaultValue={chosen}>
      <option value="">Choose …</option>
      {values.map((value) => (
        <option key={value}>{value}</option>
      ))}
    </select>
  );

const renderLine = ({ id, size, color, pieces }: Line, product: Product | undefined, now: number) => {
  const { title, attributes } = product ?? { title: id, attributes: [] };
  const [sizes, colors] = [sizesOf(attributes), colorsOf(attributes)];
  return [
    <>
      <input type="hidden" name="line-id" value={id} />
      {/* All lines have the same fields. */}
      {sizes.length === 0 && <input type="hidden" name="line-size" value="" />}
      {colors.length === 0 && <input type="hidden" name="line-color" value="" />}
      <Lines of={[title, product ? stockText(product) : 'No longer sold']} />
    </>,
    product ? formatPaise(payableAt(product, now)) : '',
    renderChoice('size', `Size of ${title}`, sizes, size),
    renderChoice('color', `Colour of ${title}`, colors, color),
    <NumberCell name="line-pieces" value={pieces} label={`Pieces of ${title}`} isWhole />,
  ];
};

const readProduct = (text: string | undefined): Product | undefined =>
  text === undefined ? undefined : v.parse(ProductSchema, text);

export async function showOrderForm(
  context: AdminContext,
  services: Services,
  sent: FormData,
  errors?: Errors,
) {
  const catalogue = await services.catalogue();
  const text = sentText(sent, 'q').trim();
  const isSearch = sentText(sent, 'step') === 'find' && text !== '';
  const lines = linesIn(sent).map((line) => ({ line, product: readProduct(catalogue.product(line.id)) }));
  const found = (isSearch ? catalogue.find(text, MAX_FOUND) : []).flatMap((json) => {
    const product = readProduct(json);
    return product ? [{ line: { id: product.id, size: '', color: '', pieces: '' }, product }] : [];
  });
  const { values } = parseForm(form, sent);
  // The form key of the first page goes with the order until it is placed.
  const key = sentText(sent, FORM_KEY);
  const now = services.clock();
  return showPage(context, {
    title: 'New order',
    content: (
      <>
        <ErrorSummary errors={errors} />
        <PostForm
          className="grid max-w-240 gap-5"
          action={NEW_ORDER}
          hidden={key ? { [FORM_KEY]: key } : {}}
          noValidate
        >
          <h2 id="field-lines">What is ordered</h2>
          {errors?.has('lines') && <FieldError>{errors.get('lines')}</FieldError>}
          <Table
            hasTitles
            caption="Enter the pieces. A line without any is left out."
            heads={['Product', 'Price', 'Size', 'Colour', 'Pieces']}
            rows={[...lines, ...found].map(({ line, product }) => renderLine(line, product, now))}
          />
          {isSearch && found.length === 0 && <p role="status">No product was found.</p>}
          <FormField
            name="q"
            field={{
              label: 'Find a product',
              hint: 'By words of its title, or its number. What you have entered stays.',
              control: 'search',
              autocomplete: 'off',
            }}
            values={{ q: text }}
          />
          <Row>
            <Button variant="quiet" name="step" value="find">
              Find
            </Button>
          </Row>
          <h2>Who orders, and where it goes</h2>
          {Object.entries(fieldsFor(services)).map(([name, field]) => (
            <FormField key={name} name={name} field={field} values={values} errors={errors} />
          ))}
          <Row>
            <Button name="step" value="look">
              Review
            </Button>
            <LinkButton href={ORDERS}>Back</LinkButton>
          </Row>
        </PostForm>
      </>
    ),
    status: formStatus({ errors }),
  });
}

export async function readOrderForm({ catalogue }: Services, sent: FormData) {
  const parsed = parseForm(form, sent);
  const errors = new Map(parsed.isValid ? [] : parsed.errors);
  const products = await catalogue();
  const lines = linesIn(sent).map(({ id, size, color, pieces }) => {
    const { title = id, attributes = [] } = readProduct(products.product(id)) ?? {};
    const { quantity = 0 } = readQuantity(pieces);
    if (quantity === 0) errors.set('lines', `${title}: pieces are a whole number up to ${MAX_QUANTITY}`);
    if (!size && sizesOf(attributes).length > 0) errors.set('lines', `${title}: choose a size`);
    if (!color && colorsOf(attributes).length > 0) errors.set('lines', `${title}: choose a colour`);
    return { id, quantity, selectedSize: size, selectedColor: color };
  });
  if (!parsed.isValid || errors.size > 0) return { errors };
  const { output } = parsed;
  const expected = sentText(sent, 'expected');
  const request = v.safeParse(OrderRequestSchema, {
    products: Object.fromEntries(
      [...Map.groupBy(lines, ({ id }) => id)].map(([id, own]) => [
        id,
        own.reduce((sum, { quantity }) => sum + quantity, 0),
      ]),
    ),
    lines,
    shippingAddress: output,
    language: output.language,
    expectedTotal: expected === '' ? null : Number(expected),
  });
  if (!request.success) return { errors: new Map([['lines', request.issues[0].message]]) };
  const paymentMethods = [output.way === 'door' ? ('cash' as const) : ('online' as const)];
  const accepted = sentText(sent, 'accepted').split(' ');
  return { sent, output, request: request.output, byStaff: { paymentMethods, accepted } };
}

export type Draft = Exclude<Awaited<ReturnType<typeof readOrderForm>>, { readonly errors: Errors }>;

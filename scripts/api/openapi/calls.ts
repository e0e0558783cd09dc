import * as v from 'valibot';
import { CallbackSchema } from '#scripts/api/gateway/callback.ts';
import { OrderListSchema, OrderRequestSchema, OrderSchema } from '#scripts/api/schema/orders.ts';
import {
  PaymentFieldsSchema,
  PaymentRequestSchema,
  PaymentResponseSchema,
} from '#scripts/api/schema/payments.ts';
import { ProductAnswerSchema, ProductListSchema, ProductSchema } from '#scripts/api/schema/product.ts';
import { StoreInfoSchema } from '#scripts/api/schema/store.ts';
import {
  AccountSchema,
  RegisteredSchema,
  RegistrationSchema,
  SignInSchema,
  TokenSchema,
} from '#scripts/api/schema/users.ts';

type Schema = v.GenericSchema<unknown, unknown>;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What a call takes and answers, for those who bring another backend. */
export interface CallDescription {
  readonly summary: string;
  readonly status: 200 | 201;
  readonly answer: Schema;
  readonly body?: Schema;
  readonly parameters?: readonly Parameter[];
  /** Statuses of failure, besides 401 where a token is needed and 413 and 415 where there is a body. */
  readonly failures?: readonly number[];
}

export const ErrorSchema = v.object({
  error: v.string(),
  code: v.optional(v.string()),
  message: v.optional(v.string()),
  target: v.optional(v.string()),
});

/** Schemas that get a name of their own. */
export const NAMED: Readonly<Record<string, Schema>> = {
  Product: ProductSchema,
  StoreInfo: StoreInfoSchema,
  OrderRequest: OrderRequestSchema,
  Order: OrderSchema,
  PaymentResponse: PaymentResponseSchema,
  Error: ErrorSchema,
};

const query = (
  name: string,
  description: string,
  schema: Parameter['schema'] = { type: 'string' },
): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

const wholeFrom = (minimum: number, fallback: number, maximum?: number): Parameter['schema'] => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
  default: fallback,
});

/** By method and path; a test holds it against the table of routes. */
export const CALLS: Readonly<Record<string, CallDescription>> = {
  'GET /products': {
    summary:
      'A page of the products on sale, in a stable order. Filters are compared without regard to case.',
    status: 200,
    answer: ProductListSchema,
    parameters: [
      query('page', 'From 1.', wholeFrom(1, 1)),
      query('limit', 'Products a page.', wholeFrom(1, 12, 100)),
      query('category', 'Products of this category.'),
      query('parentCategory', 'Products of this parent category.'),
      query('gender', "Products with this value of the attribute 'gender': Men or Women."),
      query(
        'filter',
        "Comma-separated names: products of one of these categories or parent categories, for one of these genders, or without a gender where 'null' is named.",
      ),
    ],
  },
  'GET /products/:id': { summary: 'One product.', status: 200, answer: ProductAnswerSchema, failures: [404] },
  'GET /storeInfo': {
    summary: 'The store record. Policies are HTML with placeholders such as {{companyName}}.',
    status: 200,
    answer: StoreInfoSchema,
  },
  'POST /users/authorize': {
    summary: 'Sign in. The token is sent as Authorization: Bearer from then on, for 30 days.',
    status: 200,
    body: SignInSchema,
    answer: TokenSchema,
    failures: [401, 422, 429, 503],
  },
  'POST /users/register': {
    summary: 'Open an account. Does not sign in.',
    status: 201,
    body: RegistrationSchema,
    answer: RegisteredSchema,
    failures: [422, 429, 503],
  },
  'GET /accountInfo': { summary: 'Who is signed in.', status: 200, answer: AccountSchema },
  'GET /orders': {
    summary: "The user's own orders, newest first: the newest 1,000 unless ORDERS_LISTED says otherwise.",
    status: 200,
    answer: OrderListSchema,
  },
  'POST /orders': {
    summary: "Place an order at the server's own prices. 422 names the problem by code and target.",
    status: 201,
    body: OrderRequestSchema,
    answer: OrderSchema,
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'One for each attempt: sent again it answers the same order; with another body, 422.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    ],
    failures: [422, 429, 503],
  },
  'GET /orders/:id': {
    summary: 'Track an order by its number and the email or phone it was placed with. No token needed.',
    status: 200,
    answer: OrderSchema,
    parameters: [query('contactInfo', "The customer's email, or the phone of the shipping address.")],
    failures: [404, 429],
  },
  'GET /payments/fields': { summary: 'The payment form.', status: 200, answer: PaymentFieldsSchema },
  'POST /payments': {
    summary: 'Start a payment. A payment that cannot be made is success: false with a text, and status 200.',
    status: 200,
    body: PaymentRequestSchema,
    answer: PaymentResponseSchema,
    failures: [404, 422, 503],
  },
  'POST /payments/callback': {
    summary: 'For the payment gateway, not the shop: its signed word on a payment.',
    status: 200,
    body: CallbackSchema,
    answer: v.object({ received: v.boolean() }),
    parameters: [
      {
        name: 'Gateway-Timestamp',
        in: 'header',
        description: 'Seconds since 1970, at most 300 old.',
        schema: { type: 'string' },
      },
      {
        name: 'Gateway-Signature',
        in: 'header',
        description: 'HMAC-SHA256 of the timestamp, a dot and the body, in hexadecimal.',
        schema: { type: 'string' },
      },
    ],
    failures: [400, 401, 422, 503],
  },
};

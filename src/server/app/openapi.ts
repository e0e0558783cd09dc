import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { CatalogueProductSchema } from '#server/catalogue/schema.ts';
import { PriceSchema } from '#server/http/sent-values.ts';
import { OrderDtoSchema, OrderRequestSchema } from '#server/orders/schema.ts';
import { PaymentResponseSchema } from '#server/payments/schema.ts';
import { type ApiCall, MAX_BODY_BYTES } from '#server/services/call.ts';
import { StoreAnswerSchema } from '#server/store/schema.ts';

type Schema = v.GenericSchema<unknown, unknown>;

type Json = Record<string, unknown>;

const ErrorSchema = v.object({
  error: v.string(),
  code: v.optional(v.string()),
  message: v.optional(v.string()),
  target: v.optional(v.string()),
  total: v.optional(PriceSchema),
});

/** Schemas with a name in the document. The others are inline. */
const NAMED: Readonly<Record<string, Schema>> = {
  Product: CatalogueProductSchema,
  StoreInfo: StoreAnswerSchema,
  OrderRequest: OrderRequestSchema,
  Order: OrderDtoSchema,
  PaymentResponse: PaymentResponseSchema,
  Error: ErrorSchema,
};

const TAGS: Readonly<Record<ApiCall['tag'], string>> = {
  Catalogue: 'Products and the store record',
  Accounts: 'Registering, signing in and the account',
  Orders: 'Placing, listing and tracking orders',
  Payments: 'The payment form, payments and their results',
  Contact: 'What visitors write to the shop',
};

const FAILURES: Readonly<Record<string, string>> = {
  400: 'The request cannot be read',
  401: 'Not signed in, or wrong credentials',
  404: 'Not found',
  409: 'Too late, with the reason',
  413: `Larger than ${MAX_BODY_BYTES / 1024} KB`,
  415: 'Not application/json',
  422: 'Refused, with the reason',
  429: 'Too often. Retry-After says for how many seconds',
  503: 'Busy. Retry-After says for how many seconds',
  '4XX': 'Refused, with the reason',
};

/** Bodies are described as sent (`input`). Parameters are sent as text, so they are described as parsed (`output`). */
const schemaOptions = (typeMode: 'input' | 'output') =>
  ({
    target: 'draft-2020-12',
    typeMode,
    // Rules that JSON Schema cannot express are left out.
    errorMode: 'ignore',
    // Another backend may send further fields.
    overrideSchema: ({ jsonSchema: { additionalProperties, ...schema } }: { jsonSchema: JsonSchema }) =>
      additionalProperties === false ? schema : undefined,
    overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
  }) as const;

function schemaJson(schema: Schema): unknown {
  const named = Object.entries(NAMED).find(([, each]) => each === schema);
  if (named) return { $ref: `#/components/schemas/${named[0]}` };
  return toJsonSchemaDefs({ ...NAMED, schema }, schemaOptions('input')).schema;
}

const content = (schema: Schema): Json => ({ 'application/json': { schema: schemaJson(schema) } });

function pathParameters({ path }: ApiCall): Json[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

/** A parameter's default is the output of its schema for `undefined`. */
function parameters(location: 'query' | 'header', fields: Readonly<Record<string, Schema>> = {}): Json[] {
  return Object.entries(fields).map(([name, schema]) => {
    const { $schema: _, description, ...json } = toJsonSchema(schema, schemaOptions('output'));
    const absent = v.safeParse(schema, undefined);
    const fallback = absent.success && absent.output !== undefined ? { default: absent.output } : {};
    return { name, in: location, required: !absent.success, description, schema: { ...json, ...fallback } };
  });
}

function failuresOf({ method, access, failures = [] }: ApiCall): Json {
  const statuses: (number | string)[] = [
    ...failures,
    ...(access === 'bearer' ? [401] : []),
    ...(method === 'POST' ? [400, 413, 415] : []),
  ];
  if (statuses.length === 0) statuses.push('4XX');
  return Object.fromEntries(
    statuses.map((status) => [status, { description: FAILURES[status], content: content(ErrorSchema) }]),
  );
}

function operation(call: ApiCall): Json {
  const { operationId, tag, summary, description, access, status, answer } = call;
  const { query, headers, body } = call.request;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: access === 'bearer' ? [{ token: [] }] : [],
    parameters: [
      ...pathParameters(call),
      ...parameters('query', query?.entries),
      ...parameters('header', headers?.entries),
    ],
    ...(body ? { requestBody: { required: true, content: content(body) } } : {}),
    responses: { [status]: { description: 'Success', content: content(answer) }, ...failuresOf(call) },
  };
}

/** Describes the calls as an OpenAPI 3.1 document. */
export function openApiDocument(base: string, calls: readonly ApiCall[]): Json {
  const paths: Record<string, Json> = {};
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Storefront API',
      version: '1.0.0',
      description: `The calls that the storefront makes. Prices are ${CURRENCY.word}, with at most two decimals.`,
      contact: { name: 'The developers of this storefront' },
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: base }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: toJsonSchemaDefs(NAMED, schemaOptions('input')),
    },
  };
}

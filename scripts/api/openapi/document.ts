import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { API_BASE, ROUTES, type Route } from '#scripts/api/routes.ts';
import { CALLS, type CallDescription, NAMED } from './calls.ts';

const CONFIG = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const;

/** What failures mean, by status. */
const FAILURES: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  401: 'Not signed in, or wrong credentials',
  404: 'Not found',
  413: 'Larger than 64 KB',
  415: 'Not application/json',
  422: 'Refused, with the reason',
  429: 'Too often; Retry-After says for how many seconds',
  503: 'Busy; Retry-After says for how many seconds',
};

/** JSON without what a reader of this document need not hold against another backend: closed objects. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) =>
      !['$schema', '$defs'].includes(key) && !(key === 'additionalProperties' && inner === false),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, open(inner)]));
}

const jsonOf = (schema: v.GenericSchema<unknown, unknown>): unknown => {
  const named = Object.entries(NAMED).find(([, each]) => each === schema);
  return named
    ? { $ref: `#/components/schemas/${named[0]}` }
    : open(toJsonSchema(schema, { ...CONFIG, definitions: { ...NAMED } }));
};

const content = (schema: v.GenericSchema<unknown, unknown>) => ({
  'application/json': { schema: jsonOf(schema) },
});

function failuresOf({ method, access }: Route, { failures = [] }: CallDescription): Record<string, unknown> {
  const all = new Set([
    ...failures,
    ...(access === 'bearer' ? [401] : []),
    ...(method === 'POST' ? [400, 413, 415] : []),
  ]);
  return Object.fromEntries(
    [...all]
      .sort((a, b) => a - b)
      .map((status) => [
        status,
        {
          description: FAILURES[status] ?? '',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  );
}

function operation(route: Route): Record<string, unknown> {
  const call = CALLS[`${route.method} ${route.path}`];
  if (!call) throw new Error(`${route.method} ${route.path} is not described in calls.ts`);
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const parameters = [...inPath, ...(call.parameters ?? [])];
  return {
    summary: call.summary,
    ...(route.access === 'bearer' ? { security: [{ token: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.body ? { requestBody: { required: true, content: content(call.body) } } : {}),
    responses: {
      [call.status]: { description: 'Success', content: content(call.answer) },
      ...failuresOf(route, call),
    },
  };
}

/** Section 7 of the specification as an OpenAPI 3.1 document. */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of ROUTES) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Storefront API',
      version: '1.0.0',
      description: 'The calls that the storefront makes. Prices are rupees, with at most two decimals.',
    },
    servers: [{ url: `http://localhost:8044${API_BASE}` }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: open(toJsonSchemaDefs(NAMED, CONFIG)),
    },
  };
}

/** The file as it is checked in. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;

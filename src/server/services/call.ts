import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import { StorageError, UnstorableText } from '#server/db/errors.ts';
import { isReserved } from '#server/http/names.ts';
import { orderProblem, Refusal, unavailable } from '#server/http/refusal.ts';
import { readBytes } from '#server/http/request-body.ts';
import type { CountName, CustomerCount } from '#server/limits/table.ts';
import { type Log, loggedError } from '#server/process/log.ts';
import type { Env, Services } from './services.ts';

/** In bytes, of JSON and of forms. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Reads the body into the context. @throws Refusal 413, or 400 if it is not UTF-8 or breaks off */
export const readBody = createMiddleware<Env>(async (context, next) => {
  const bytes = await readBytes(context.req.raw, MAX_BODY_BYTES);
  try {
    context.set('body', new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The request is not valid UTF-8');
  }
  await next();
});

/** A reviver for JSON.parse. Schemas would ignore a reserved name, and an order would lose a product. */
function refuseReserved(name: string, value: unknown): unknown {
  if (isReserved(name)) throw orderProblem('name_reserved', name, 'The request uses a reserved name.');
  return value;
}

/** Returns the body's JSON. @throws Refusal 400, or 422 if it uses a reserved name */
export function bodyJson(context: Context<Env>): unknown {
  try {
    return JSON.parse(context.get('body'), refuseReserved);
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The request is not valid JSON');
  }
}

type Schema = v.GenericSchema<unknown, unknown>;

type Fields = v.ObjectSchema<v.ObjectEntries, undefined>;

export interface Route {
  readonly method: 'GET' | 'POST';
  /** `:name` is a parameter. */
  readonly path: string;
  /** The content types of a POST, if they are not the default of its list. */
  readonly bodyTypes?: readonly string[];
  readonly handle: (context: Context<Env>, services: Services) => Response | Promise<Response>;
}

/** The schemas of the parts of a request. Parts that are not named are not read. */
interface RequestParts {
  readonly query?: Fields;
  readonly headers?: Fields;
  readonly body?: Schema;
}

/** A call of section 7 of the specification, with its description for `openapi.ts`. */
export interface ApiCall extends Route {
  readonly operationId: string;
  readonly tag: 'Catalogue' | 'Accounts' | 'Orders' | 'Payments' | 'Contact';
  readonly summary: string;
  readonly description: string;
  /** 'bearer' calls need the token of a signed-in customer, who is then in the context. */
  readonly access: 'public' | 'bearer';
  readonly request: RequestParts;
  /** The status of a success, and the schema of its body. */
  readonly status: 200 | 201;
  readonly answer: Schema;
  /**
   * Its rate limit (`limits/table.ts`): 'little' if it needs none of its own, as an answer from memory; a limit of the
   * customer, for each success; or one that `handle` spends, because it has other payers or counts something else.
   */
  readonly spends: 'little' | { readonly each: CustomerCount } | { readonly handled: CountName };
  /** Statuses of failure, besides those that every call of this method and access can have. */
  readonly failures?: readonly number[];
}

interface Definition<Parts extends v.ObjectEntries & RequestParts>
  extends Pick<ApiCall, 'summary' | 'description' | 'access' | 'spends' | 'failures'> {
  /** By default nothing of the request is read. */
  readonly request?: Parts;
  /** By default 200 with an empty object. */
  readonly status?: ApiCall['status'];
  readonly answer?: Schema;
  /** Runs before the body is parsed. */
  readonly authorize?: (context: Context<Env>, services: Services) => Promise<void>;
  /** Makes the answer to an invalid request. The default is a 422 with the message of the schema. */
  readonly refuse?: (issue: v.BaseIssue<unknown>) => Refusal;
  readonly handle: (
    context: Context<Env>,
    services: Services,
    request: v.InferOutput<v.ObjectSchema<Parts, undefined>>,
  ) => Response | Promise<Response>;
}

function partsOf(context: Context<Env>, { headers, body }: RequestParts): Record<string, unknown> {
  const names = Object.keys(headers?.entries ?? {});
  return {
    query: context.req.query(),
    headers: Object.fromEntries(names.map((name) => [name, context.req.header(name)])),
    body: body && bodyJson(context),
  };
}

/** Adds the name of a missing field, which the schema's message lacks. Such an issue has the type 'object'. */
function refuseIssue(issue: v.BaseIssue<unknown>): Refusal {
  // The path begins with the part of the request, such as `body`.
  const [, ...path] = issue.path ?? [];
  const name = path.map(({ key }) => String(key)).join('.');
  const missing = name === '' ? 'The request must be an object' : `${name} is missing`;
  return new Refusal(422, issue.type === 'object' ? missing : issue.message);
}

/**
 * Defines a call. The schemas that describe its requests also check them, so the two cannot differ.
 * @param operationId names the call in generated clients
 */
export function defineCall<Parts extends v.ObjectEntries & RequestParts = Record<never, never>>(
  route: `${Route['method']} ${string}`,
  tag: ApiCall['tag'],
  operationId: string,
  definition: Definition<Parts>,
): ApiCall {
  const { handle, authorize, refuse = refuseIssue, request, ...description } = definition;
  const parts: RequestParts = request ?? {};
  const schema = v.object<Parts>(request ?? ({} as Parts));
  const method = route.startsWith('GET ') ? 'GET' : 'POST';
  return {
    status: 200,
    answer: v.object({}),
    ...description,
    method,
    path: route.slice(method.length + 1),
    tag,
    operationId,
    request: parts,
    handle(context, services) {
      const { limits, payersOf } = services;
      const answer = async () => {
        await authorize?.(context, services);
        const parsed = v.safeParse(schema, partsOf(context, parts), { abortEarly: true });
        if (!parsed.success) throw refuse(parsed.issues[0]);
        return handle(context, services, parsed.output);
      };
      const { spends, access } = definition;
      const isEach = spends !== 'little' && 'each' in spends;
      const own = isEach ? () => limits.spend([spends.each], payersOf(context), answer) : answer;
      if (access === 'public' || method === 'GET') return own();
      const inTurn = () => limits.lane('change').run(payersOf(context), own);
      return limits.spend(['change'], payersOf(context), inTurn, () => true);
    },
  };
}

export const API_BASE = '/api/v1';

/** Converts an error to a refusal. A bug is logged with its stack; the caller gets neither stack nor message. */
export function refusalOf(error: Error, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof UnstorableText) return new Refusal(422, 'A text of the request has a zero byte.');
  if (error instanceof StorageError) {
    log('error', 'storage failed', { code: error.code });
    return unavailable();
  }
  log('error', 'unexpected error', { name: error.name, stack: loggedError(error) });
  return new Refusal(500, 'Something went wrong on our side');
}

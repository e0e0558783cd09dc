import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import { checkType } from '#server/http/request-body.ts';
import { API_BASE } from './call.ts';
import type { Env } from './services.ts';

/** A fault that a tester switches on for a call. */
const FaultRuleSchema = v.object({
  /** The method and path of a call as the API defines it, such as 'GET /products/:id'. '*' means every call. */
  call: v.pipe(v.string(), v.regex(/^(?:\*|(?:GET|POST) \/\S*)$/, 'must be like GET /products/:id, or *')),
  /** The call answers with this status and does nothing. */
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  /** Delays the call, in ms. */
  delay: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(120_000))),
  /** The call does its work, and the connection breaks before the answer. */
  lose: v.optional(v.boolean()),
  /** How many calls the fault affects. Without this number it stays until it is switched off. */
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

export type FaultRule = v.InferOutput<typeof FaultRuleSchema>;

const PATH = '/faults';

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

function isFor({ call }: FaultRule, { req }: Context): boolean {
  if (call === '*') return true;
  const [method, path = ''] = call.split(' ');
  const pattern = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+');
  return req.method === method && new RegExp(`^${API_BASE}${pattern}$`).test(req.path);
}

export interface FaultInjection {
  /** Switches a fault on. If several faults match a call, the earliest is used until its `times` are used up. */
  add(rule: FaultRule): void;
  clear(): void;
  readonly middleware: MiddlewareHandler<Env>;
}

/** Lets testers make calls fail. The API uses this only when it runs with FAULTS=on. */
export function createFaultInjection(): FaultInjection {
  let rules: FaultRule[] = [];

  function take(context: Context): FaultRule | undefined {
    const rule = rules.find((each) => isFor(each, context));
    if (rule?.times !== undefined) rule.times -= 1;
    rules = rules.filter(({ times }) => times !== 0);
    return rule;
  }

  /** GET lists the rules, POST adds one, DELETE removes all. Only programs on this machine may call it. */
  async function control(context: Context<Env>): Promise<Response> {
    if (!LOOPBACK.test(getConnInfo(context).remote.address ?? '')) {
      return context.json({ error: 'Not found' }, 404);
    }
    if (context.req.method === 'DELETE') rules = [];
    if (context.req.method === 'POST') {
      checkType(context, 'application/json');
      const given = v.safeParse(FaultRuleSchema, await context.req.json().catch(() => undefined));
      if (!given.success) {
        const [{ message }] = given.issues;
        return context.json({ error: `This is no fault: ${message}` }, 422);
      }
      rules.push(given.output);
    }
    return context.json(rules);
  }

  return {
    add: (rule) => void rules.push(v.parse(FaultRuleSchema, rule)),
    clear: () => {
      rules = [];
    },
    middleware: async (context, next) => {
      if (context.req.path === PATH) return control(context);
      const rule = context.req.method === 'OPTIONS' ? undefined : take(context);
      if (rule?.delay) await new Promise((resolve) => setTimeout(resolve, rule.delay));
      if (rule?.status !== undefined) {
        return context.json({ error: 'Switched on by a tester' }, rule.status as ContentfulStatusCode);
      }
      await next();
      if (rule?.lose) context.env.outgoing?.destroy();
      return undefined;
    },
  };
}

import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import { API_BASE } from './routes.ts';

/** What a tester switches on for a call. */
const RuleSchema = v.object({
  /** 'GET /products/:id', as the table of routes has it; '*' is every call. */
  call: v.pipe(v.string(), v.regex(/^(?:\*|(?:GET|POST) \/\S*)$/, 'must be like GET /products/:id, or *')),
  /** Answers with this status instead of asking the shop. */
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  /** Waits before anything else, in ms. */
  delay: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(120_000))),
  /** The shop does what it is asked, and the connection breaks before the answer. */
  lose: v.optional(v.boolean()),
  /** For so many calls; without it until it is switched off. */
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

export type FaultRule = v.InferOutput<typeof RuleSchema>;

const RulesSchema = v.union([
  v.array(RuleSchema),
  v.pipe(
    RuleSchema,
    v.transform((rule) => [rule]),
  ),
]);

const PATH = '/faults';
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

const SocketSchema = v.object({
  incoming: v.object({ socket: v.object({ remoteAddress: v.optional(v.string()) }) }),
  outgoing: v.custom<{ destroy(): void }>((value) => typeof value === 'object' && value !== null),
});

function isFor({ call }: FaultRule, { req }: Context): boolean {
  if (call === '*') return true;
  const [method, path = ''] = call.split(' ');
  const pattern = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+');
  return req.method === method && new RegExp(`^${API_BASE}${pattern}$`).test(req.path);
}

export interface Faults {
  /** Switches a fault on; rules for one call take their turns in order. */
  add(rule: FaultRule): void;
  clear(): void;
  readonly middleware: MiddlewareHandler;
}

/** Switches for faults and delays. Nothing of it is there unless a tester asks for it (FAULTS=on). */
export function createFaults(): Faults {
  let rules: FaultRule[] = [];

  function take(context: Context): FaultRule | undefined {
    const rule = rules.find((each) => isFor(each, context));
    if (rule?.times === undefined) return rule;
    rules = rules.flatMap((each) => {
      if (each !== rule) return [each];
      return rule.times === 1 ? [] : [{ ...rule, times: (rule.times ?? 1) - 1 }];
    });
    return rule;
  }

  /** GET shows the switches, POST adds some, DELETE clears them; from this computer alone. */
  async function control(context: Context): Promise<Response> {
    const socket = v.safeParse(SocketSchema, context.env);
    const from = socket.success ? (socket.output.incoming.socket.remoteAddress ?? '') : '127.0.0.1';
    if (!LOOPBACK.test(from)) return context.json({ error: 'Not found' }, 404);
    if (context.req.method === 'DELETE') rules = [];
    if (context.req.method === 'POST') {
      const given = v.safeParse(RulesSchema, await context.req.json().catch(() => undefined));
      if (!given.success) {
        const [{ message }] = given.issues;
        return context.json({ error: `This is no fault: ${message}` }, 422);
      }
      rules.push(...given.output);
    }
    return context.json(rules);
  }

  return {
    add: (rule) => void rules.push(v.parse(RuleSchema, rule)),
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
      const socket = v.safeParse(SocketSchema, context.env);
      if (rule?.lose && socket.success) socket.output.outgoing.destroy();
      return undefined;
    },
  };
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Lanes } from '#server/limits/queue.ts';
import { LANES, type LaneName } from '#server/limits/table.ts';

/** In seconds. Most responses take milliseconds, and hashing a password tens of them. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const HASHES = (Object.keys(LANES) as LaneName[]).filter((name) => name.includes('Hash'));

/** Others are counted together: Node accepts about 35 methods, and a stranger could create a series for each. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

interface Answered {
  readonly method: string;
  /** The route's pattern, because an address contains order numbers and contacts. */
  readonly route: string;
  readonly status: number;
}

interface Alert {
  readonly name: string;
  readonly todo: string;
  readonly since: number;
  readonly waiting?: readonly [count: number, noun: string];
}

/**
 * Counts of this process for Prometheus. No label may contain what a caller sent. Each app has its own registry, because
 * several may run in one process.
 */
export function createMetrics(lane: Lanes) {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  new Gauge({
    name: 'shop_password_hashes',
    help: 'Passwords that are being hashed, and those that are waiting.',
    labelNames: ['state'],
    registers,
    // Read at each scrape.
    collect() {
      for (const state of ['running', 'waiting'] as const) {
        const sum = HASHES.reduce((total, name) => total + lane(name).load()[state], 0);
        this.set({ state }, sum);
      }
    },
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers,
  });
  const orders = new Counter({
    name: 'shop_orders_placed_total',
    help: 'Orders that were stored. A retry with the same key is not counted.',
    registers,
  });
  const payments = new Counter({
    name: 'shop_payments_total',
    help: 'Payments that entered this state.',
    labelNames: ['state'],
    registers,
  });
  const alerts = {
    since: new Gauge({
      name: 'shop_alert_since_seconds',
      help: 'What does not work in the shop, what to do about it, and since when, in seconds since 1970.',
      labelNames: ['alert', 'todo'],
      registers,
    }),
    waiting: new Gauge({
      name: 'shop_alert_waiting',
      help: 'What waits until an alert has ended, such as emails or payments.',
      labelNames: ['alert', 'noun'],
      registers,
    }),
  };
  const errors = new Counter({
    name: 'shop_provider_errors_total',
    help: 'Failed calls to a payment provider, and webhooks that were refused.',
    labelNames: ['provider', 'error'],
    registers,
  });
  return {
    answered({ method, route, status }: Answered, milliseconds: number): void {
      const labels = { method: METHODS.has(method) ? method : 'other', route, status };
      durations.observe(labels, milliseconds / 1_000);
    },
    orderPlaced: () => orders.inc(),
    paymentChanged: (state: string) => payments.inc({ state }),
    /** Both are names from our own code. */
    providerError: (provider: string, error: string) => errors.inc({ provider, error }),
    /** Replaces those of the last scrape. All texts are from our own code, and `since` is in ms. */
    setAlerts(found: readonly Alert[]): void {
      alerts.since.reset();
      alerts.waiting.reset();
      for (const { name, todo, since, waiting } of found) {
        alerts.since.set({ alert: name, todo }, Math.floor(since / 1_000));
        if (waiting) alerts.waiting.set({ alert: name, noun: waiting[1] }, waiting[0]);
      }
    },
    contentType: register.contentType,
    text: () => register.metrics(),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

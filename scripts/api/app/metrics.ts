import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '#scripts/api/db/database.ts';
import { PAYMENT_STATES } from '#scripts/api/payments/payment-state.ts';
import type { Passwords } from '#scripts/api/shop/passwords.ts';
import type { Metrics } from '#scripts/api/shop/shop.ts';

/** In seconds. Most answers take milliseconds, and hashing a password tens of them. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Node takes about 35 methods, and a stranger may send them all. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

function addPool(register: Registry, db: Database): void {
  if (!db.poolState()) return;
  new Counter({
    name: 'shop_transactions_retried_total',
    help: 'Transactions that were tried again, because another one was in their way.',
    registers: [register],
    collect() {
      this.reset();
      this.inc(db.poolState()?.retried ?? 0);
    },
  });
  new Gauge({
    name: 'shop_database_connections',
    help: 'Connections to PostgreSQL, busy and idle.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      const { open = 0, idle = 0 } = db.poolState() ?? {};
      this.set({ state: 'busy' }, open - idle);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'shop_database_waiting',
    help: 'Transactions and reads that wait for a connection.',
    registers: [register],
    collect() {
      this.set(db.poolState()?.waiting ?? 0);
    },
  });
}

/** Each app has a registry of its own, because several may run in one process. */
export function createMetrics(db: Database, queues: readonly Passwords[]): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  addPool(register, db);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the answer, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers: [register],
  });
  const orders = new Counter({
    name: 'shop_orders_placed_total',
    help: 'Orders that were stored. One that is sent again with its key is not counted again.',
    registers: [register],
  });
  const payments = new Counter({
    name: 'shop_payments_total',
    help: 'Payments that came into this state.',
    labelNames: ['state'],
    registers: [register],
  });
  const troubles = new Counter({
    name: 'shop_provider_troubles_total',
    help: 'Calls to a provider of payments that failed, and webhooks that were refused.',
    labelNames: ['provider', 'trouble'],
    registers: [register],
  });
  for (const state of PAYMENT_STATES) payments.inc({ state }, 0);
  new Gauge({
    name: 'shop_password_hashes',
    help: 'Passwords that are hashed now, and those that wait for it.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      for (const state of ['running', 'waiting'] as const) {
        this.set(
          { state },
          queues.reduce((sum, { load }) => sum + load()[state], 0),
        );
      }
    },
  });
  return {
    answered({ method, route, status }, milliseconds) {
      const labels = { method: METHODS.has(method) ? method : 'other', route, status };
      durations.observe(labels, milliseconds / 1_000);
    },
    orderPlaced: () => orders.inc(),
    paymentChanged: (state) => payments.inc({ state }),
    providerTrouble: (provider, trouble) => troubles.inc({ provider, trouble }),
    contentType: register.contentType,
    text: () => register.metrics(),
  };
}

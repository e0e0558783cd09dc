import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono, type HonoRequest } from 'hono';
import { listenLocally } from '#tests/support/free-port.ts';

/** What the payer's bank calls each payment. */
export const UTR = '512345678901';

/** A webhook request to the shop. */
export interface Webhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Ending {
  readonly outcome: 'succeeded' | 'failed' | 'expired';
  /** What the provider says it asked for and got, if that is not the shop's amount. In paise, as all amounts. */
  readonly paise?: number;
  /** What an offer of the provider takes off. */
  readonly discount?: number;
  /** By how much less came, without a reason. */
  readonly missing?: number;
  readonly currency?: string;
}

export interface FakeOptions {
  /** The URL of the payment page; the payment's reference follows. */
  readonly pages?: string;
}

/** What a bank or the owner decides at the provider about money that came. */
export interface FakeDispute {
  readonly paise: number;
  readonly state: 'open' | 'under_review' | 'won' | 'lost';
  /** ms since 1970 */
  readonly respondBy: number;
}

export type FakeFailure = 'down' | 'html' | 'busy' | 'wrong-key' | 'slow';

function errorAnswer(kind: FakeFailure): Promise<Response> | Response {
  if (kind === 'html')
    return new Response('<h1>Maintenance</h1>', { headers: { 'Content-Type': 'text/html' } });
  if (kind === 'busy') return Response.json({}, { status: 429 });
  if (kind === 'wrong-key')
    return Response.json({ error: { description: 'The api key provided is invalid' } }, { status: 401 });
  if (kind === 'slow') return new Promise(() => {});
  return new Response('', { status: 502 });
}

export interface FakeRefund {
  readonly id: string;
  readonly paise: number;
  /** Whether the shop made it. */
  readonly isOwn: boolean;
  isPending: boolean;
}

export interface FakePayment {
  readonly reference: string;
  /** The provider's own id. */
  readonly id: string;
  readonly paymentId: string;
  readonly returnUrl: string;
  readonly refunds: FakeRefund[];
  status: 'open' | 'paid' | 'expired';
  /** In paise. */
  asked: number;
  paid: number;
  currency: string;
  hasOffer: boolean;
  dispute: FakeDispute | undefined;
}

/** The state of a fake, for its routes. */
export interface FakeState {
  readonly url: string;
  readonly payments: ReadonlyMap<string, FakePayment>;
  /** The message with which it refuses to start payments. */
  readonly refusal: string | undefined;
  readonly make: (
    payment: Pick<FakePayment, 'reference' | 'id' | 'paymentId' | 'returnUrl' | 'asked'>,
  ) => FakePayment;
  /** Returns why a refund is refused, or the refund. */
  readonly refund: (payment: FakePayment, id: string, paise: number) => FakeRefund | 'too much' | 'balance';
}

/** What is special about a provider. */
interface Speciality {
  /** As in PAYMENT_PROVIDERS. */
  readonly name: string;
  /** The shop's environment variables for it. */
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  readonly hasKeys: (request: HonoRequest) => boolean;
  readonly addRoutes: (app: Hono, state: FakeState) => void;
  readonly returnUrl?: (payment: FakePayment) => string;
  /** @param asked before it ended, in paise. @param isLate whether the payment had expired */
  readonly endings: (
    payment: FakePayment,
    ending: Ending & { readonly asked: number; readonly isLate: boolean },
    now: number,
  ) => readonly Webhook[];
  readonly refundWebhook: (payment: FakePayment, refund: FakeRefund, now: number) => Webhook;
  readonly disputeWebhook: (payment: FakePayment, dispute: FakeDispute, now: number) => Webhook;
}

/**
 * Starts a provider of payments as its public documentation describes it, as strict as the real one. This is what all
 * fakes have in common: payments, their refunds and disputes, and failures. `now` is in ms since 1970.
 */
export async function startFake(speciality: Speciality) {
  const payments = new Map<string, FakePayment>();
  /** The requests of the shop. */
  const received: { readonly method: string; readonly path: string; readonly body: string }[] = [];
  let failure: FakeFailure | undefined;
  let refunds: 'done' | 'pending' | 'refused' = 'done';
  let refusal: string | undefined;

  const app = new Hono();
  app.use(async (context, next) => {
    const { method, path } = context.req;
    received.push({ method, path, body: await context.req.text() });
    if (failure) return errorAnswer(failure);
    return speciality.hasKeys(context.req) ? next() : errorAnswer('wrong-key');
  });
  const server = await listen(app);
  speciality.addRoutes(app, {
    url: server.url,
    payments,
    get refusal() {
      return refusal;
    },
    make(given) {
      const nothing = {
        refunds: [],
        status: 'open',
        paid: 0,
        currency: 'INR',
        hasOffer: false,
        dispute: undefined,
      } as const;
      const payment: FakePayment = { ...given, ...nothing, refunds: [] };
      payments.set(given.reference, payment);
      return payment;
    },
    refund(payment, id, paise) {
      const given = payment.refunds.reduce((sum, each) => sum + each.paise, 0);
      if (given + paise > payment.paid) return 'too much';
      if (refunds === 'refused') return 'balance';
      const refund = { id, paise, isOwn: true, isPending: refunds === 'pending' };
      payment.refunds.push(refund);
      return refund;
    },
  });
  /** @param work returns webhooks; none for an unknown payment */
  const ofPayment = (reference: string, work: (payment: FakePayment) => readonly Webhook[]) => {
    const payment = payments.get(reference);
    return payment ? work(payment) : [];
  };

  return {
    name: speciality.name,
    environment: speciality.environment(server.url),
    received,
    references: () => [...payments.keys()],
    /** The shop's return URL, with the query that the provider adds. */
    returnUrl(reference: string): string {
      const payment = payments.get(reference);
      return payment ? (speciality.returnUrl?.(payment) ?? payment.returnUrl) : '';
    },
    /** The amounts that were paid for a reference, in paise. */
    paid: (reference: string) => [payments.get(reference)?.paid ?? 0].filter((paise) => paise > 0),
    /** The refunded sum of a payment, in paise. */
    refunded: (reference: string) =>
      (payments.get(reference)?.refunds ?? [])
        .filter(({ isPending }) => !isPending)
        .reduce((sum, { paise }) => sum + paise, 0),
    /** Ends the payment, even one that has expired. Returns the provider's webhooks, as others do. */
    end: (reference: string, ending: Ending, now: number) =>
      ofPayment(reference, (payment) => {
        if (payment.status === 'paid') return [];
        const { asked } = payment;
        const isLate = payment.status === 'expired';
        if (ending.outcome === 'expired') payment.status = 'expired';
        if (ending.outcome === 'succeeded') {
          // What comes late leaves a payment expired.
          if (!isLate) payment.status = 'paid';
          payment.asked = ending.paise ?? asked;
          payment.hasOffer = (ending.discount ?? 0) > 0;
          payment.paid = payment.asked - (ending.discount ?? 0) - (ending.missing ?? 0);
          payment.currency = ending.currency ?? payment.currency;
        }
        return speciality.endings(payment, { ...ending, asked, isLate }, now);
      }),
    /** The result of the next refunds: done at once, later by `settleRefunds`, or refused. */
    setRefunds: (kind: typeof refunds) => {
      refunds = kind;
    },
    /** Somebody refunds in the provider's dashboard. */
    refundThere: (reference: string, paise: number, now: number) =>
      ofPayment(reference, (payment) => {
        const refund = { id: `there_${randomUUID()}`, paise, isOwn: false, isPending: false };
        payment.refunds.push(refund);
        return [speciality.refundWebhook(payment, refund, now)];
      }),
    /** Opens the dispute of a payment, or changes it. */
    dispute: (reference: string, dispute: FakeDispute, now: number) =>
      ofPayment(reference, (payment) => {
        payment.dispute = dispute;
        return [speciality.disputeWebhook(payment, dispute, now)];
      }),
    /** Refuses to start payments, with this message. */
    refuse: (words: string | undefined) => {
      refusal = words;
    },
    settleRefunds: (now: number) =>
      [...payments.values()].flatMap((payment) =>
        payment.refunds
          .filter(({ isPending }) => isPending)
          .map((refund) => {
            refund.isPending = false;
            return speciality.refundWebhook(payment, refund, now);
          }),
      ),
    failWith: (kind: FakeFailure | undefined) => {
      failure = kind;
    },
    close: server.close,
  };
}

export type FakeProvider = Awaited<ReturnType<typeof startFake>>;

/** Serves an app on a free port. */
export async function listen(app: Hono) {
  const server = createServer(getRequestListener(app.fetch));
  const url = await listenLocally(server);
  async function close(): Promise<void> {
    const closed = server[Symbol.asyncDispose]();
    server.closeAllConnections();
    await closed;
  }
  return { url, close };
}

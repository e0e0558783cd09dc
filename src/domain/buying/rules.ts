import { formatDay, startOfDay } from '#domain/date.ts';
import { formatPaise, toPaise } from '#domain/money.ts';
import { normalisePin } from '#domain/pin.ts';
import { availabilityOf, isBeforeDay } from './availability.ts';
import type { LineFacts, OrderFacts, PlaceFacts, SoldProduct, StoreTerms } from './facts.ts';

/** What the API and the shop say about how many are left, up to this number. */
export const FEW = 5;

const DAY_MS = 86_400_000;
const SHOWN_PLACES = 10;

interface FactsOf {
  readonly line: LineFacts;
  readonly order: OrderFacts;
  readonly place: PlaceFacts;
}

export type Level = keyof FactsOf;

type Figures = Readonly<Record<string, string>>;

interface Rule<Facts> {
  /** The English sentence, with the figures in braces. Its Hindi is a line of hindi.ts. */
  readonly text: string;
  /** Returns the figures of the sentence, or nothing if the rule holds. @param now ms since 1970 */
  readonly check: (facts: Facts, now: number) => Figures | undefined;
}

/** A check of a product that is sold. The name is a figure of each sentence. */
const ofProduct =
  (
    check: (product: SoldProduct, facts: LineFacts, now: number) => Figures | undefined,
  ): Rule<LineFacts>['check'] =>
  (facts, now) => {
    const { product, name } = facts;
    const figures = product === 'discontinued' ? undefined : check(product, facts, now);
    return figures && { name, ...figures };
  };

/** Returns figures if the pieces of an order break a limit of the product. */
const limitedBy = (
  limit: 'minPerOrder' | 'maxPerOrder',
  isBroken: (pieces: number, limit: number) => boolean,
) =>
  ofProduct(({ buying }, { pieces }) => {
    const count = buying?.[limit];
    return count && isBroken(pieces, count) ? { count: String(count) } : undefined;
  });

/** Returns figures if fewer are left than the order wants, and as many as `isTold` accepts. */
const lackingWhere = (isTold: (left: number) => boolean) =>
  ofProduct(({ buying = {}, sizes }, { name, size, pieces, piecesOfSize }, now) => {
    const ofSize = sizes.length > 0 ? buying.sizes?.find((each) => each.size === size) : undefined;
    const { availability, left: known } = ofSize ?? buying;
    const left = availability === 'sold_out' ? 0 : known;
    const isEnough = left === undefined || left >= (ofSize ? piecesOfSize : pieces);
    return isEnough || !isTold(left) || isBeforeDay(buying.backOn, now)
      ? undefined
      : { name: ofSize ? `${name}, ${size}` : name, count: String(left) };
  });

const isMissing = (option: string, options: readonly string[]): boolean =>
  option !== '' && options.length > 0 && !options.includes(option);

const startsWithOne = (postalCode: string, starts: readonly string[]): boolean =>
  starts.some((digits) => normalisePin(postalCode).startsWith(digits));

/** Such as '411, 412, 4130', with an ellipsis if there are more. */
const placesText = (starts: readonly string[]): string =>
  [...starts.slice(0, SHOWN_PLACES), ...(starts.length > SHOWN_PLACES ? ['…'] : [])].join(', ');

const isCashOnly = ({ paymentMethods }: StoreTerms): boolean =>
  paymentMethods.includes('cash') && !paymentMethods.includes('online');

/** Whether an order can be paid in cash at a PIN code, as far as its place decides. */
export const isCollectedAt = (
  postalCode: string,
  { pinCodes }: Pick<StoreTerms['cashOnDelivery'], 'pinCodes'>,
): boolean => pinCodes.length === 0 || startsWithOne(postalCode, pinCodes);

/**
 * What may be bought, by the `code` of the API's answer. The shop asks these rules as a forecast, and POST /orders asks them
 * within the transaction. A new rule is a row here, its line in hindi.ts, and its fact: a field of PRODUCT_TERMS, or of the
 * store record and STORE_TERMS. The first of a level that is broken is the one that is said.
 */
export const RULES: { readonly [L in Level]: Readonly<Record<string, Rule<FactsOf[L]>>> } = {
  line: {
    product_gone: {
      text: '“{name}” is no longer sold.',
      check: ({ product, name }) => (product === 'discontinued' ? { name } : undefined),
    },
    price_unavailable: {
      text: '“{name}” has no price at the moment.',
      check: ofProduct((product, _facts, now) =>
        availabilityOf(product, now) === 'unpriced' ? {} : undefined,
      ),
    },
    option_unknown: {
      text: '“{name}” is not sold as {words}. Please choose it again.',
      check: ofProduct(({ sizes, colors }, { size, color }) => {
        const words = isMissing(size, sizes) ? size : isMissing(color, colors) ? color : '';
        return words ? { words } : undefined;
      }),
    },
    back_on: {
      text: '“{name}” is sold out. It is back on {day}.',
      check: ofProduct(({ buying }, _facts, now) =>
        buying?.backOn && isBeforeDay(buying.backOn, now) ? { day: formatDay(buying.backOn) } : undefined,
      ),
    },
    sold_out: {
      text: '“{name}” is sold out.',
      check: lackingWhere((left) => left === 0),
    },
    few_left: {
      text: '“{name}”: only {count} left.',
      check: lackingWhere((left) => left > 0 && left <= FEW),
    },
    not_enough_left: {
      text: '“{name}”: fewer are left than you want. Please take fewer.',
      check: lackingWhere((left) => left > FEW),
    },
    over_maximum: {
      text: '“{name}”: at most {count} in one order.',
      check: limitedBy('maxPerOrder', (pieces, max) => pieces > max),
    },
    below_minimum: {
      text: '“{name}”: at least {count} in one order.',
      check: limitedBy('minPerOrder', (pieces, min) => pieces < min),
    },
  },
  order: {
    orders_paused: {
      text: 'We take no orders until {last}. You can order again from {day}.',
      check: ({ store: { pause } }, now) =>
        now >= (startOfDay(pause.from) || 0) && now < startOfDay(pause.until) + DAY_MS
          ? { last: formatDay(pause.until), day: formatDay(pause.until, 1), own: pause.sentence }
          : undefined,
    },
    order_too_small: {
      text: 'Orders begin at {rupees}, without delivery. {missing} is missing.',
      check({ store: { orderMinimum }, subtotal }) {
        const min = toPaise(orderMinimum ?? 0);
        return subtotal < min
          ? { rupees: formatPaise(min), missing: formatPaise(min - subtotal) }
          : undefined;
      },
    },
  },
  place: {
    not_served: {
      text: 'We do not deliver to {words}. We deliver to PIN codes that begin with {list}.',
      check: ({ store: { served }, postalCode }) =>
        served.length === 0 || startsWithOne(postalCode, served)
          ? undefined
          : { words: postalCode, list: placesText(served) },
    },
    no_payment_here: {
      text: 'There is no way to pay at {words}: we do not collect cash there.',
      check: ({ store, postalCode }) =>
        isCashOnly(store) && !isCollectedAt(postalCode, store.cashOnDelivery)
          ? { words: postalCode }
          : undefined,
    },
    no_payment_above: {
      text: 'There is no way to pay for this order: you can pay up to {rupees} in cash.',
      check({ store, total = 0 }) {
        const max = toPaise(store.cashOnDelivery.most ?? Number.POSITIVE_INFINITY);
        return isCashOnly(store) && total > max ? { rupees: formatPaise(max) } : undefined;
      },
    },
  },
};

/** Why something cannot be bought. */
export interface Problem {
  readonly code: string;
  /** A sentence of RULES. */
  readonly text: string;
  /** Those in the sentence. `own` is a sentence of the shop's that follows, in its own language. */
  readonly figures: Readonly<Record<string, string>>;
}

/** Returns the broken rules of a level, in their order. @param now ms since 1970 */
export function problemsOf<L extends Level>(level: L, facts: FactsOf[L], now: number): Problem[] {
  return Object.entries<Rule<FactsOf[L]>>(RULES[level]).flatMap(([code, { text, check }]) => {
    const figures = check(facts, now);
    return figures ? [{ code, text, figures }] : [];
  });
}

/** Returns the sentence of a problem in English. @param translate see hindi.ts */
export const sentenceOf = (
  { text, figures }: Problem,
  translate = (english: string): string => english,
): string =>
  [
    translate(text).replace(/\{(\w+)\}/g, (_, name: string) => translate(figures[name] ?? '')),
    figures.own ?? '',
  ]
    .join(' ')
    .trim();

import { useStore } from '@nanostores/react';
import { type ComponentType, useId, useState } from 'react';
import { formatOrderDate } from '#domain/date.ts';
import { formatPaise, formatRupees } from '#domain/money.ts';
import { addressLines, itemText, type Order, type OrderItem, SHIPPING_TEXT } from '#domain/order.ts';
import { balanceLines, breakdownLines, lineAmount, shownAmount } from '#domain/order-amounts.ts';
import { refundText, stepsOf } from '#domain/order-history.ts';
import { canReturn, isWithdrawable, returnFacts } from '#domain/order-returns.ts';
import { isCancellable, NEW_ORDER } from '#domain/order-status.ts';
import { Button, ButtonLink } from '#islands/ui/Button.tsx';
import { type Fact, Facts, OrderNumber, StatusBadge } from '#islands/ui/Facts.tsx';
import { useLazyComponent } from '#islands/ui/hooks.ts';
import { TrackingNumber } from '#islands/ui/TrackingNumber.tsx';
import { paths } from '#paths.ts';
import { $reorders, reorder } from '#stores/cart/reorder.ts';
import { replaceOrder } from '#stores/orders/order-list.ts';
import { notify } from '#stores/shell/toasts.ts';
import type { OrderFormProps } from './OrderDialog.tsx';

const ACTION = 'max-md:flex-[1_0_auto]';

interface OrderAction {
  readonly text: string;
  isPossible(order: Order): boolean | undefined;
  load(): Promise<ComponentType<OrderFormProps>>;
}

const RETURN: OrderAction = {
  text: 'Return items',
  isPossible: canReturn,
  load: () => import('./ReturnItems.tsx').then((form) => form.ReturnItems),
};

/** What the customer does in a form of its own. A shop without returns does not send their code. */
const ACTIONS: readonly OrderAction[] = [
  {
    text: 'Cancel order',
    isPossible: (order) => __CAPABILITIES__.cancelOrder && isCancellable(order),
    load: () => import('./OrderQuestions.tsx').then((questions) => questions.CancelOrder),
  },
  ...(__CAPABILITIES__.returns ? [RETURN] : []),
  {
    text: 'Withdraw the return',
    isPossible: (order) => __CAPABILITIES__.returnEndings && order.returns?.some(isWithdrawable),
    load: () => import('./OrderQuestions.tsx').then((questions) => questions.WithdrawReturn),
  },
];

interface ButtonProps {
  readonly order: Order;
  readonly describedBy: string;
}

/** A button that opens a form about an order. The code of the form is loaded on the click. */
function FormButton({ text, order, describedBy, load }: ButtonProps & Pick<OrderAction, 'text' | 'load'>) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const Form = useLazyComponent(isOpen, load, () => {
    close();
    notify({ title: 'Error', text: 'The connection may be slow. Please try again.', tone: 'error' });
  });
  return (
    <>
      <Button
        variant="ghost"
        className={ACTION}
        busy={isOpen && !Form}
        describedBy={describedBy}
        onClick={() => setOpen(true)}
      >
        {text}
      </Button>
      {isOpen && Form && <Form order={order} onClose={close} onChange={replaceOrder} />}
    </>
  );
}

const fetchOutcome = () => import('./ReorderOutcome.tsx').then(({ ReorderOutcome }) => ReorderOutcome);

function ReorderButton({ order, describedBy }: ButtonProps) {
  const state = useStore($reorders).get(order.id);
  const Outcome = useLazyComponent(state !== undefined, fetchOutcome);
  const isWorking = state?.status === 'working';
  return (
    <>
      <Button
        variant="outline"
        className={ACTION}
        busy={isWorking}
        describedBy={describedBy}
        onClick={() => void reorder(order)}
      >
        {isWorking ? 'Looking up prices …' : 'Buy again'}
      </Button>
      {/* While it is empty, it stays for screen readers but takes no gap. */}
      <div className="w-full empty:absolute" role="status">
        {Outcome && state?.status === 'done' && <Outcome {...state} />}
      </div>
    </>
  );
}

export const CARD = 'overflow-hidden rounded-card border border-line';

export const HEAD = 'flex flex-wrap items-center gap-x-4 gap-y-2 bg-mist px-4 py-3.5 md:px-5';

const Item = ({ item }: { readonly item: OrderItem }) => (
  <li className="flex justify-between gap-4 py-2">
    <span className="min-w-0 [overflow-wrap:anywhere]">
      <span translate="no">{itemText(item)}</span> ×&nbsp;<span>{item.quantity}</span>
      {item.quantity > 1 && (
        <span className="whitespace-nowrap text-caption text-ink3">{` ${formatRupees(item.price)} each`}</span>
      )}
    </span>
    <strong className="[font-variant-numeric:tabular-nums]">{formatPaise(lineAmount(item))}</strong>
  </li>
);

export function OrderCard({ order }: { readonly order: Order }) {
  const titleId = useId();
  const isNew = order.status === NEW_ORDER;
  const facts: readonly Fact[] = [
    ['Ship to', addressLines(order.shippingAddress).join(', ') || 'Not available'],
    ...order.extras.map(({ label, value }): Fact => [label, value]),
    ['Method', SHIPPING_TEXT],
    ['Tracking', <TrackingNumber key="tracking" order={order} />],
    ...stepsOf(order),
    ...breakdownLines(order.amounts).map((line): Fact => [line.name, shownAmount(line)]),
    ...(isNew && order.paymentStartedAt ? [['Payment', 'Under way'] as const] : []),
    ...order.refunds.map((refund): Fact => ['Refund', refundText(refund)]),
    ...(__CAPABILITIES__.returns && order.returns ? returnFacts(order.returns) : []),
    [
      'Total',
      <span className="font-heavy text-large [font-variant-numeric:tabular-nums]" key="total">
        {formatPaise(order.amounts.total)}
      </span>,
    ],
    ...balanceLines(order),
  ];
  return (
    <article className={CARD} aria-labelledby={titleId}>
      <header className={`${HEAD} min-h-19.5`}>
        <div className="min-w-0 max-md:w-full">
          <p className="text-caption text-ink3">Order</p>
          <h2
            id={titleId}
            className="font-body text-lead leading-[1.3] tracking-normal [overflow-wrap:anywhere]"
          >
            <OrderNumber {...order} />
          </h2>
        </div>
        <time className="text-ink2 md:ms-auto" dateTime={order.createdAt || undefined}>
          {formatOrderDate(order.createdAt)}
        </time>
        <StatusBadge status={order.status} className="max-md:ms-auto" />
      </header>
      <ul className="px-4 py-2 md:px-5">
        {order.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two items of an order may have one id
          <Item key={index} item={item} />
        ))}
      </ul>
      <footer className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-line border-t px-4 pt-3.5 pb-5 md:px-5">
        <Facts
          facts={facts}
          className="flex min-w-0 flex-[1_1_420px] flex-wrap gap-x-8 gap-y-3"
          rowClass="first:max-w-115 first:flex-[1_1_100%] md:first:flex-[1_1_260px]"
        />
        <div className="ms-auto flex flex-wrap items-center gap-2.5 has-[[role=status]:not(:empty)]:w-full max-md:w-full">
          {isNew && (
            <ButtonLink className={ACTION} href={paths.payment(order.id)} aria-describedby={titleId}>
              Pay Now
            </ButtonLink>
          )}
          {ACTIONS.filter(({ isPossible }) => isPossible(order)).map(({ text, load }) => (
            <FormButton key={text} text={text} load={load} order={order} describedBy={titleId} />
          ))}
          <ReorderButton order={order} describedBy={titleId} />
        </div>
      </footer>
    </article>
  );
}

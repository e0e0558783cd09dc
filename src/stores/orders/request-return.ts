import { sendReturn } from '#api/orders.ts';
import type { Order } from '#domain/order.ts';
import { canReturn, type ReturnLine } from '#domain/order-history.ts';
import { RETURN_PENDING } from '#domain/refusals.ts';
import { $orderForm, sendOrderForm } from './order-form.ts';

const requestText = (reason: string, lines: readonly ReturnLine[]): string =>
  JSON.stringify([reason.trim().split(/\s+/), lines.map(({ line, quantity }) => [line, quantity])]);

/** Whether the order has this return request. Another tab may have requested a different one. */
const isRequested = ({ returns = [] }: Order, request: string): boolean =>
  returns.some(({ state, reason, lines }) => state === 'asked' && requestText(reason, lines) === request);

export async function requestReturn(
  { id }: Order,
  reason: string,
  lines: readonly ReturnLine[],
  onChange: (order: Order) => void,
): Promise<void> {
  if (lines.length === 0 || reason.trim() === '')
    return $orderForm.set({ isWorking: false, problem: 'Choose what to return, and say why.' });
  const request = requestText(reason, lines);
  await sendOrderForm(
    id,
    {
      send: () => sendReturn(id, reason, lines),
      noticeOf(order, isAccepted, problem) {
        if (isAccepted || isRequested(order, request))
          return { title: 'Return asked for', text: 'Send nothing back before we have answered.' };
        return canReturn(order)
          ? undefined
          : { title: 'Error', text: problem ?? RETURN_PENDING, tone: 'error' };
      },
      noAnswer: 'The shop did not answer. Try again: a return is asked for only once.',
    },
    onChange,
  );
}

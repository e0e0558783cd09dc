import { useStore } from '@nanostores/react';
import { formatPaise, formatRupees } from '#domain/money.ts';
import { upiDetails } from '#domain/payment.ts';
import { OrderNumber } from '#islands/ui/OrderNumber.tsx';
import { $paidOrder } from '#stores/payment/payment.ts';

/** Amount, payee and order number. Only a UPI link names a payee. If it has no amount, the order's total is shown. */
export function QrFacts({ code }: { readonly code: string }) {
  const { id, order } = useStore($paidOrder);
  const { amount, payee } = upiDetails(code) ?? {};
  const total = order && formatPaise(order.amounts.total);
  const facts = [
    ['Amount', amount === undefined ? total : formatRupees(amount)],
    ['Pay to', payee],
    ['Order', <OrderNumber key={id} id={id} />],
  ] as const;
  return (
    <dl className="qr-facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

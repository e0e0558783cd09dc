import { useStore } from '@nanostores/react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary, errorsOf } from '#islands/ui/ErrorSummary.tsx';
import { Field } from '#islands/ui/Field.tsx';
import { Island } from '#islands/ui/Island.tsx';
import { useForm } from '#islands/ui/use-form.ts';
import {
  $track,
  findOrder,
  followAccount,
  missingFields,
  NEW_TRACK,
  orderIdInAddress,
  TRACK_FIELDS,
  type TrackPage,
} from '#stores/orders/track.ts';
import type { TrackedOrderProps } from './TrackedOrder.tsx';

const Problem = ({ problem, errors, attempt }: TrackPage) =>
  problem && <ErrorSummary {...problem} attempt={attempt} errors={errorsOf(TRACK_FIELDS, errors)} />;

/** The form does not need the view of the order, so its code is loaded on the first request. */
const fetchOrderView = () => import('./TrackedOrder.tsx').then(({ TrackedOrder }) => TrackedOrder);

export function Track() {
  const track = useStore($track, { ssr: () => NEW_TRACK });
  const orderId = useRef<HTMLInputElement>(null);
  const contactInfo = useRef<HTMLInputElement>(null);
  const [Answer, setAnswer] = useState<ComponentType<TrackedOrderProps>>();
  const { status, order, errors, attempt } = track;
  const { field, formProps } = useForm({
    fields: TRACK_FIELDS,
    errors,
    validate: missingFields,
    submit: (request) =>
      void findOrder(request, async () => {
        const view = await fetchOrderView();
        setAnswer(() => view);
      }),
  });

  useEffect(() => {
    // Does not overwrite text that was typed.
    const fill = (input: HTMLInputElement | null, text: string, before = ''): void => {
      if (input?.value === before) input.value = text;
    };
    fill(orderId.current, orderIdInAddress());
    return followAccount((email, before) => fill(contactInfo.current, email, before));
  }, []);

  return (
    <Island className="grid items-start gap-7 lg:grid-cols-[400px_1fr] lg:gap-12">
      <form className="grid max-w-170 gap-4" aria-label="Track your order" {...formProps}>
        <Problem {...track} />
        <Field
          ref={orderId}
          {...field('orderId')}
          label="Order Number"
          hint="As in My Orders and in your emails."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Field
          ref={contactInfo}
          {...field('contactInfo')}
          label="Email or Phone"
          hint="Of the account or the delivery."
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit" size="large" busy={status === 'searching'}>
          {status === 'searching' ? 'Searching...' : 'Track Order'}
        </Button>
      </form>
      {order && Answer && <Answer order={order} attempt={attempt} />}
    </Island>
  );
}

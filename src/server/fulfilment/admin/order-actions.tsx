import type { ReactNode } from 'react';
import * as v from 'valibot';
import { CARRIER_KEYS, carrierName, storedCarrier } from '#domain/carrier.ts';
import { FormField, PostForm } from '#server/admin/forms/Form.tsx';
import { codeText, type FormState, text } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { fresh, type Shown } from '#server/admin/forms/record-editor.tsx';
import { staffStatusOf } from '#server/admin/order-status.ts';
import { orderPath } from '#server/admin/paths.ts';
import { Button, LinkButton, Row } from '#server/admin/views/pieces.tsx';
import { lastTransition, TRANSITIONS, transitionsOf } from '#server/fulfilment/apply-transition.ts';
import type { ListedOrder } from './listed-orders.ts';

const CARRIER_NAMES = CARRIER_KEYS.map(carrierName);

export const trackingForm = defineForm(
  v.pipe(
    v.object({ carrier: v.pipe(text(60), v.transform(storedCarrier)), tracking: codeText(60) }),
    v.forward(
      v.partialCheck(
        [['carrier'], ['tracking']],
        ({ carrier, tracking }) => carrier === '' || tracking !== '',
        'Enter the tracking number as well, or leave the carrier empty',
      ),
      ['tracking'],
    ),
  ),
  {
    carrier: {
      label: 'Carrier',
      hint: `The shopper gets a link for ${CARRIER_NAMES.slice(0, -1).join(', ')} and ${CARRIER_NAMES.at(-1)}.`,
      control: 'text',
      autocomplete: 'off',
      suggestions: CARRIER_NAMES,
      isOptional: true,
    },
    tracking: { label: 'Tracking number', control: 'text', autocomplete: 'off', isOptional: true },
  },
);

export const trackingTexts = ({ tracking, carrier }: Pick<ListedOrder, 'tracking' | 'carrier'>) => ({
  carrier: carrierName(carrier),
  tracking: tracking ?? '',
});

const BESIDE = 'mb-4 grid items-end gap-3 md:grid-cols-[minmax(0,320px)_auto_auto] md:justify-start';

/** The field with the warnings that the page showed: an order is shipped only by someone who saw all of them. */
export const SEEN = 'seen';

/** A button for each transition without confirmation. The tracking number can be corrected after shipping. */
export function renderTransitions(
  order: ListedOrder,
  state: FormState & Partial<Shown>,
  warnings: readonly string[],
): ReactNode {
  const { id, status } = order;
  const { values, errors, version } = { ...fresh(trackingTexts(order)), ...state };
  const path = orderPath(id);
  const { label, hasShipped } = staffStatusOf(status);
  const { atOnce, needsConfirmation } = transitionsOf(status);
  const fields = Object.entries(trackingForm.fields).map(([name, field]) => (
    <FormField key={name} name={name} field={field} values={values} errors={errors} />
  ));
  return (
    <>
      {atOnce.map((transition) => (
        <PostForm
          key={transition}
          className={BESIDE}
          action={`${path}/${transition}`}
          noValidate
          hidden={transition === 'ship' ? { [SEEN]: warnings.join(' ') } : {}}
        >
          {transition === 'ship' && fields}
          <Button>{TRANSITIONS[transition].button}</Button>
        </PostForm>
      ))}
      {hasShipped && (
        <PostForm className={BESIDE} action={`${path}/tracking`} noValidate hidden={{ version }}>
          {fields}
          <Button variant="quiet">Save the number</Button>
        </PostForm>
      )}
      <Row>
        <LinkButton variant="quiet" href={`${path}/slip`}>
          Packing slip
        </LinkButton>
        {needsConfirmation.map((transition) => (
          <LinkButton key={transition} variant="quiet" href={`${path}/${transition}`}>
            {TRANSITIONS[transition].button} …
          </LinkButton>
        ))}
        {lastTransition(order) && (
          <LinkButton variant="quiet" href={`${path}/take-back`}>
            Take back: {label} …
          </LinkButton>
        )}
      </Row>
    </>
  );
}

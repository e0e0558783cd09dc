import type { ReactNode } from 'react';
import * as v from 'valibot';
import { CARRIER_KEYS, carrierName, storedCarrier } from '#domain/carrier.ts';
import { BOX, FormField, PostForm } from '#server/admin/forms/Form.tsx';
import { codeText, type Field, type FormState, text } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { fresh, type Shown } from '#server/admin/forms/record-editor.tsx';
import { staffStatusOf } from '#server/admin/order-status.ts';
import { orderPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { Button, LinkButton, Row } from '#server/admin/views/pieces.tsx';
import {
  lastTransition,
  TRANSITIONS,
  trackingTexts,
  transitionsOf,
} from '#server/fulfilment/apply-transition.ts';
import type { ListedOrder } from './listed-orders.ts';

const CARRIER_NAMES = CARRIER_KEYS.map(carrierName);

/** A parcel. */
export const TRACKING = {
  carrier: v.pipe(text(60), v.transform(storedCarrier)),
  tracking: codeText(60),
};

export const trackingForm = defineForm(
  v.pipe(
    v.object(TRACKING),
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

/** The field for goods that came back. */
export const BACK_ON_SALE: Field = { label: 'The goods are back on sale', control: 'checkbox' };

const NO_PARCEL = { tracking: null, carrier: null };

const BESIDE = 'mb-4 grid items-end gap-3 md:grid-cols-[minmax(0,320px)_auto_auto] md:justify-start';

export const ASK_OWNER = 'Ask an owner before you ship it.';

/** The box with the warnings that the page showed: an order is shipped only by someone who saw all of them. */
export const ACKNOWLEDGED = 'acknowledged';

/**
 * A button for each transition without confirmation. An order whose money is wrong is shipped by an owner, who is asked, and
 * by nobody else. The tracking number can be corrected after shipping.
 */
export function renderTransitions(
  order: ListedOrder,
  state: FormState & Partial<Shown>,
  warnings: readonly string[],
): ReactNode {
  const { id, status } = order;
  // The fields are for the next parcel of an order in several.
  const current = order.parcels.length > 0 && !staffStatusOf(status).hasShipped ? NO_PARCEL : order;
  const { values, errors, version } = { ...fresh(trackingTexts(current)), ...state };
  const path = orderPath(id);
  const last = lastTransition(order);
  const { label, hasShipped } = staffStatusOf(status);
  const { atOnce, needsConfirmation } = transitionsOf(status);
  const fields = Object.entries(trackingForm.fields).map(([name, field]) => (
    <FormField key={name} name={name} field={field} values={values} errors={errors} />
  ));
  return (
    <>
      {atOnce.map((transition) => {
        const isShipping = transition === 'ship';
        const isWarned = isShipping && warnings.length > 0;
        return (
          <Allowed key={transition} to={isWarned ? `${path}/payment` : path} otherwise={<p>{ASK_OWNER}</p>}>
            <PostForm className={BESIDE} action={`${path}/${transition}`} noValidate>
              {isShipping && fields}
              {isWarned && (
                <label className="flex min-h-11 items-center gap-3">
                  <input className={BOX} type="checkbox" name={ACKNOWLEDGED} value={warnings.join(' ')} />
                  Ship it all the same
                </label>
              )}
              <Button>{TRANSITIONS[transition].button}</Button>
              {isShipping && (
                <Button variant="quiet" formAction={`${path}/parcel`}>
                  This parcel has left, another follows
                </Button>
              )}
            </PostForm>
          </Allowed>
        );
      })}
      {hasShipped && (
        <PostForm className={BESIDE} action={`${path}/tracking`} noValidate hidden={{ version }}>
          {fields}
          <Button variant="quiet">Save the number</Button>
        </PostForm>
      )}
      <Row>
        <LinkButton href={`${path}/slip`}>Packing slip</LinkButton>
        {needsConfirmation.map((transition) => (
          <LinkButton key={transition} href={`${path}/${transition}`}>
            {TRANSITIONS[transition].button} …
          </LinkButton>
        ))}
        {last && (
          <Allowed to={`${path}/${last}`} method="POST">
            <LinkButton href={`${path}/take-back`}>Take back: {label} …</LinkButton>
          </Allowed>
        )}
      </Row>
    </>
  );
}

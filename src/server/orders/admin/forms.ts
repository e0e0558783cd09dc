import * as v from 'valibot';
import { CARRIER_KEYS, carrierName, storedCarrier } from '#domain/carrier.ts';
import { codeText, text } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { CAME_BACK, type CameBack, STATUSES } from '#server/services/order-status.ts';
import { startOfDay } from './listed-orders.ts';

const NO_DAY = 'must be a day such as 2026-01-05';

/** A day in India, or ''. */
const DaySchema = v.pipe(
  v.string(),
  v.regex(/^(?:\d{4}-\d{2}-\d{2})?$/, NO_DAY),
  v.check((typed) => typed === '' || Number.isFinite(startOfDay(typed)), NO_DAY),
);

export const searchForm = defineForm(v.object({ text: text(200), day: DaySchema }), {
  text: {
    label: 'Find',
    hint: 'Order number, name, phone, PIN code or email',
    control: 'search',
    autocomplete: 'off',
  },
  day: { label: 'Day', control: 'date', isOptional: true },
});

/** Reads a status by its code, from a query or a form. Returns undefined for any other text. */
export const readStatus = (given: string | undefined): number | undefined =>
  Object.values(STATUSES).find(({ code }) => String(code) === given)?.code;

const STATUS_OPTIONS = [
  { value: '', label: 'All' },
  ...Object.values(STATUSES).map(({ code, label }) => ({ value: String(code), label })),
];

export const exportForm = defineForm(
  v.pipe(
    v.object({
      lines: v.picklist(['orders', 'items']),
      status: v.picklist(STATUS_OPTIONS.map(({ value }) => value)),
      from: DaySchema,
      to: DaySchema,
    }),
    v.forward(
      v.partialCheck(
        [['from'], ['to']],
        ({ from, to }) => from === '' || to === '' || from <= to,
        'must not be before the first day',
      ),
      ['to'],
    ),
  ),
  {
    lines: {
      label: 'A line for each',
      hint: 'For the accountant, each item.',
      control: 'select',
      options: [
        { value: 'orders', label: 'Order' },
        { value: 'items', label: 'Item' },
      ],
    },
    status: { label: 'Status', control: 'select', options: STATUS_OPTIONS },
    from: { label: 'From', control: 'date', isOptional: true },
    to: { label: 'To, including that day', control: 'date', isOptional: true },
  },
);

const isCameBack = (name: string): name is CameBack => Object.hasOwn(CAME_BACK, name);

export const cameBackForm = defineForm(
  v.object({ why: v.picklist(Object.keys(CAME_BACK).filter(isCameBack), 'Choose why'), goods: text(200) }),
  {
    why: {
      label: 'Why did it come back?',
      control: 'radios',
      options: Object.entries(CAME_BACK).map(([value, { en }]) => ({
        value,
        label: en.charAt(0).toUpperCase() + en.slice(1),
      })),
    },
    goods: {
      label: 'The goods',
      hint: 'Such as: complete, back on the shelf; or: two jars broken. The customer does not see it.',
      control: 'text',
      autocomplete: 'off',
      isOptional: true,
    },
  },
);

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

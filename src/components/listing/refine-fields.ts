import * as CURRENCY from '#domain/currency.ts';
import { formatPaise } from '#domain/money.ts';
import { readPrice } from '#domain/refine.ts';

type Choice = readonly [value: string, count: number | undefined, name?: string];

function choice(field: string, type: string, [value, count, name]: Choice, checked: boolean): HTMLElement {
  const input = document.createElement('input');
  Object.assign(input, { type, name: field, value, checked });
  const label = document.createElement('label');
  label.className = 'refine-choice';
  label.append(input, name ?? value);
  if (count !== undefined) {
    const number = document.createElement('span');
    number.className = 'refine-count';
    number.textContent = String(count);
    label.append(number);
  }
  return label;
}

function fieldset(heading: string, content: HTMLElement): HTMLFieldSetElement {
  const group = document.createElement('fieldset');
  const legend = document.createElement('legend');
  legend.textContent = heading;
  group.append(legend, content);
  return group;
}

/** A group of checkboxes or radio buttons, hidden if there is nothing to choose. */
export function choices(
  heading: string,
  field: string,
  values: readonly Choice[],
  chosen: readonly string[],
  type = 'checkbox',
): HTMLElement {
  const list = document.createElement('div');
  list.className = 'refine-options';
  list.append(...values.map((value) => choice(field, type, value, chosen.includes(value[0]))));
  const group = fieldset(heading, list);
  group.hidden = values.length === 0;
  return group;
}

function priceField(name: string, label: string, value: number | undefined, hint: number): HTMLElement {
  const input = document.createElement('input');
  Object.assign(input, { name, inputMode: 'numeric', autocomplete: 'off', value: value ?? '' });
  input.placeholder = formatPaise(hint);
  const element = document.createElement('label');
  element.append(label, input);
  return element;
}

/** Two fields for the lowest and the highest price in rupees. Their placeholders show the range of the listing. */
export function prices(paise: readonly number[], current: URLSearchParams): HTMLElement {
  const pricesInPaise = paise.filter((price) => price > 0);
  const row = document.createElement('div');
  row.className = 'refine-prices';
  row.append(
    priceField(
      'min',
      `From ${CURRENCY.symbol}`,
      readPrice(current.get('min')),
      pricesInPaise.reduce((a, b) => Math.min(a, b), pricesInPaise[0] ?? 0),
    ),
    priceField(
      'max',
      `To ${CURRENCY.symbol}`,
      readPrice(current.get('max')),
      pricesInPaise.reduce((a, b) => Math.max(a, b), 0),
    ),
  );
  return fieldset('Price', row);
}

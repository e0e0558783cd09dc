import * as CURRENCY from '#domain/currency.ts';
import { formatPaise } from '#domain/money.ts';
import { readPrice } from '#domain/refine.ts';

type Choice = readonly [value: string, count: number | undefined, name?: string];

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  created.className = className;
  created.append(...content);
  return created;
}

function choice(field: string, type: string, [value, count, name]: Choice, checked: boolean): HTMLElement {
  const input = document.createElement('input');
  Object.assign(input, { type, name: field, value, checked });
  const label = element('label', 'refine-choice', input, name ?? value);
  if (count !== undefined) label.append(element('span', 'refine-count', String(count)));
  return label;
}

const fieldset = (heading: string, content: HTMLElement): HTMLFieldSetElement =>
  element('fieldset', '', element('legend', '', heading), content);

export function choices(
  heading: string,
  field: string,
  values: readonly Choice[],
  chosen: readonly string[],
  type = 'checkbox',
): HTMLElement {
  const labels = values.map((value) => choice(field, type, value, chosen.includes(value[0])));
  const group = fieldset(heading, element('div', 'refine-options', ...labels));
  group.hidden = values.length === 0;
  return group;
}

function priceField(name: string, label: string, value: number | undefined, hint: number): HTMLElement {
  const input = document.createElement('input');
  Object.assign(input, { name, inputMode: 'numeric', autocomplete: 'off', value: value ?? '' });
  input.placeholder = formatPaise(hint);
  return element('label', '', label, input);
}

/** Two fields in rupees. Their placeholders show the price range of the listing. */
export function prices(paise: readonly number[], current: URLSearchParams): HTMLElement {
  const known = paise.filter((price) => price > 0);
  const lowest = known.reduce((a, b) => Math.min(a, b), known[0] ?? 0);
  const highest = known.reduce((a, b) => Math.max(a, b), 0);
  const row = element(
    'div',
    'refine-prices',
    priceField('min', `From ${CURRENCY.symbol}`, readPrice(current.get('min')), lowest),
    priceField('max', `To ${CURRENCY.symbol}`, readPrice(current.get('max')), highest),
  );
  return fieldset('Price', row);
}

import { element } from '#components/markup.ts';
import * as CURRENCY from '#domain/currency.ts';
import { formatPaise } from '#domain/money.ts';
import { readRupees } from '#domain/rupees-input.ts';
import { tidyText } from '#domain/text.ts';

type Choice = readonly [value: string, count: number | undefined, name?: string];

function choice(field: string, type: string, [value, count, name]: Choice, checked: boolean): HTMLElement {
  return element(
    'label',
    { class: 'refine-choice' },
    element('input', { type, name: field, value, checked }),
    name ?? value,
    count !== undefined && element('span', { class: 'refine-count' }, String(count)),
  );
}

const fieldset = (heading: string, content: HTMLElement): HTMLFieldSetElement =>
  element('fieldset', {}, element('legend', {}, heading), content);

export function choices(
  heading: string,
  field: string,
  values: readonly Choice[],
  chosen: readonly string[],
  type = 'checkbox',
): HTMLElement {
  const labels = values.map((value) => choice(field, type, value, chosen.includes(value[0])));
  const group = fieldset(heading, element('div', { class: 'refine-options' }, ...labels));
  group.hidden = values.length === 0;
  return group;
}

const PRICE_WRONG = 'Type an amount such as 500 or 1,299';

/** What cannot be read as an amount is an error of the field, and the form is not sent. */
function priceField(name: string, label: string, value: string | null, hint: number): HTMLElement {
  const errorId = `refine-${name}-error`;
  const input = element('input', {
    name,
    inputmode: 'decimal',
    autocomplete: 'off',
    value: value ?? '',
    placeholder: formatPaise(hint),
    'aria-describedby': errorId,
  });
  const error = element('span', { class: 'refine-error', id: errorId, role: 'alert' });
  input.addEventListener('input', () => {
    const isWrong = tidyText(input.value) !== '' && readRupees(input.value) === undefined;
    input.setAttribute('aria-invalid', String(isWrong));
    error.textContent = isWrong ? PRICE_WRONG : '';
  });
  return element('div', {}, element('label', {}, label, input), error);
}

/** Two fields in rupees. Their placeholders show the price range of the listing. */
export function prices(paise: readonly number[], current: URLSearchParams): HTMLElement {
  const known = paise.filter((price) => price > 0);
  const lowest = known.reduce((a, b) => Math.min(a, b), known[0] ?? 0);
  const highest = known.reduce((a, b) => Math.max(a, b), 0);
  const row = element(
    'div',
    { class: 'refine-prices' },
    priceField('min', `From ${CURRENCY.symbol}`, current.get('min'), lowest),
    priceField('max', `To ${CURRENCY.symbol}`, current.get('max'), highest),
  );
  return fieldset('Price', row);
}

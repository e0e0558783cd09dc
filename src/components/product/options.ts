import type { Make } from '#components/markup.ts';
import { availabilityOf, availabilityText, isBuyable } from '#domain/buying/availability.ts';
import type { Product } from '#domain/product.ts';

/** @param chosen selected if it is among the values. A single value is selected automatically. */
export function optionsMarkup<Node>(
  make: Make<Node>,
  name: 'size' | 'color',
  product: Product,
  chosen?: string,
): Node {
  const values = name === 'size' ? product.sizes : product.colors;
  const now = Date.now();
  /** The sizes of a product that is sold out as a whole say nothing more. */
  const isCounted = name === 'size' && product.buying?.sizes && isBuyable(availabilityOf(product, now));
  const option = (value: string): Node => {
    const disabled = isCounted && !isBuyable(availabilityOf(product, now, value));
    const checked = !disabled && (values.length === 1 || value === chosen);
    const note = isCounted && availabilityText(product, now, value);
    return make(
      'label',
      {},
      make('input', { type: 'radio', name, value, checked, disabled }),
      isCounted ? make('span', { translate: 'no' }, value) : value,
      note && make('small', {}, note),
    );
  };
  return make(
    'ul',
    { translate: isCounted ? undefined : 'no' },
    ...values.map((value) => make('li', {}, option(value))),
  );
}

export const specMarkup = <Node>(make: Make<Node>, { name, value }: { name: string; value: string }): Node =>
  make('div', {}, make('dt', {}, name), make('dd', {}, value));

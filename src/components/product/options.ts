import type { Make } from '#components/markup.ts';

/** @param chosen selected if it is among the values. A single value is selected automatically. */
export const optionsMarkup = <Node>(
  make: Make<Node>,
  name: 'size' | 'color',
  values: readonly string[],
  chosen?: string,
): Node =>
  make(
    'ul',
    { translate: 'no' },
    ...values.map((value) => {
      const checked = values.length === 1 || value === chosen;
      return make('li', {}, make('label', {}, make('input', { type: 'radio', name, value, checked }), value));
    }),
  );

export const specMarkup = <Node>(make: Make<Node>, { name, value }: { name: string; value: string }): Node =>
  make('div', {}, make('dt', {}, name), make('dd', {}, value));

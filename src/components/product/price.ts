import type { Make } from '#components/markup.ts';
import type { Card } from '#domain/card.ts';
import { formatRupees } from '#domain/money.ts';
import { discountPercent, isOnSale, isPriced, type Product } from '#domain/product.ts';

export const priceText = ({ price }: Pick<Product, 'price'>): string =>
  isPriced({ price }) ? formatRupees(price) : 'Price unavailable';

/** The price on a tile, or why the product cannot be bought now. */
export const tileText = (card: Pick<Card, 'price' | 'soldOut'>): string => card.soldOut ?? priceText(card);

export function priceMarkup<Node>(
  make: Make<Node>,
  product: Pick<Product, 'price' | 'originalPrice'>,
  className = 'price',
): Node {
  const onSale = isOnSale(product);
  const percent = discountPercent(product);
  return make(
    'p',
    { class: className },
    onSale && make('span', { class: 'sr-only' }, 'Sale price '),
    make('strong', {}, priceText(product)),
    ' ',
    onSale &&
      make(
        'span',
        {},
        make('span', { class: 'sr-only' }, 'Regular price '),
        make('s', {}, formatRupees(product.originalPrice ?? 0)),
        ' ',
        // With a minus sign; '' for less than one per cent.
        make('span', { class: 'price-off' }, percent > 0 && `−${percent}%`),
      ),
  );
}

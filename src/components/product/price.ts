import { formatRupees } from '#domain/money.ts';
import { discountPercent, isOnSale, isPriced, type Product } from '#domain/product.ts';

export const NO_PRICE = 'Price unavailable';

/** '−18%', with a minus sign; '' for less than one per cent. */
export const discountText = (percent: number): string => (percent > 0 ? `−${percent}%` : '');

export function fillPrice(element: Element, product: Pick<Product, 'price' | 'originalPrice'>): void {
  const set = (selector: string, text: string): void => {
    const part = element.querySelector(selector);
    if (part) part.textContent = text;
  };
  for (const part of element.querySelectorAll<HTMLElement>('.price-sale')) part.hidden = !isOnSale(product);
  set('strong', isPriced(product) ? formatRupees(product.price) : NO_PRICE);
  set('s', formatRupees(product.originalPrice ?? 0));
  set('.price-off', discountText(discountPercent(product)));
}

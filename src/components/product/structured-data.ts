import type { Picture } from '#domain/card.ts';
import { isPriced, type Product } from '#domain/product.ts';
import { paths } from '#paths.ts';
import { site } from '#site.ts';

const absolute = (address: string): string => new URL(address, site.origin).href;

/** The product as search engines read it (schema.org Product with its Offer). */
export function productData(product: Product, pictures: readonly Picture[]) {
  const { id, name, description, price, category } = product;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    sku: id,
    ...(description ? { description: description.slice(0, 1_000) } : {}),
    ...(category ? { category } : {}),
    ...(pictures.length > 0 ? { image: pictures.map(({ src }) => absolute(src)) } : {}),
    ...(isPriced(product)
      ? {
          offers: {
            '@type': 'Offer',
            price,
            priceCurrency: 'INR',
            availability: 'https://schema.org/InStock',
            url: absolute(paths.product(id)),
          },
        }
      : {}),
  };
}

export interface Crumb {
  readonly name: string;
  readonly href: string;
}

/** The way to a page (schema.org BreadcrumbList). */
export const breadcrumbData = (trail: readonly Crumb[]) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: absolute(href),
  })),
});

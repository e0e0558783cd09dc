import * as CURRENCY from '#domain/currency.ts';
import { cutToBytes } from '#domain/page-bytes.ts';
import type { Picture } from '#domain/picture.ts';
import { isPriced, type Product } from '#domain/product.ts';
import { displayName, type StoreInfo } from '#domain/store-info.ts';
import { paths } from '#paths.ts';
import { site } from '#site.ts';

const absolute = (address: string): string => new URL(address, site.origin).href;

/** The product for search engines (schema.org Product with its Offer). */
export function productData(product: Product, pictures: readonly Picture[]) {
  const { id, name, description, price, category } = product;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    sku: id,
    ...(description ? { description: cutToBytes(description, 1_500) } : {}),
    ...(category ? { category } : {}),
    ...(pictures.length > 0 ? { image: pictures.map(({ src }) => absolute(src)) } : {}),
    ...(isPriced(product)
      ? {
          offers: {
            '@type': 'Offer',
            price,
            priceCurrency: CURRENCY.code,
            availability: 'https://schema.org/InStock',
            url: absolute(paths.product(id)),
          },
        }
      : {}),
  };
}

export interface Crumb {
  readonly name: string;
  readonly href?: string;
}

/**
 * The breadcrumbs of a page for search engines (schema.org BreadcrumbList). The last one is the page itself, which needs
 * no address.
 */
export const breadcrumbData = (trail: readonly Crumb[]) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    ...(href === undefined ? {} : { item: absolute(href) }),
  })),
});

const RETURN_DAYS = 7;

/** The shop and its return policy for search engines (schema.org OnlineStore; src/catalogue/policies/return.html). */
export const storeData = (store: StoreInfo) => ({
  '@context': 'https://schema.org',
  '@type': 'OnlineStore',
  name: displayName(store),
  url: absolute(paths.home),
  ...(store.companyName ? { legalName: store.companyName } : {}),
  ...(store.companyLogoUrl ? { logo: absolute(store.companyLogoUrl) } : {}),
  ...(store.companyAddress ? { address: store.companyAddress } : {}),
  ...(store.companyEmail ? { email: store.companyEmail } : {}),
  ...(store.companyPhone ? { telephone: store.companyPhone } : {}),
  hasMerchantReturnPolicy: {
    '@type': 'MerchantReturnPolicy',
    applicableCountry: 'IN',
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: RETURN_DAYS,
    returnMethod: 'https://schema.org/ReturnByMail',
    returnFees: 'https://schema.org/ReturnFeesCustomerResponsibility',
    merchantReturnLink: absolute(paths.policy('return')),
  },
});

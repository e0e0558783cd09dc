import { availabilityOf, isBuyable } from '#domain/buying/availability.ts';
import * as CURRENCY from '#domain/currency.ts';
import { cutToBytes } from '#domain/page-bytes.ts';
import type { Picture } from '#domain/picture.ts';
import { isPriced, type Product } from '#domain/product.ts';
import { identifiersOf } from '#domain/product-identifiers.ts';
import { absoluteAddress, displayName, type StoreInfo } from '#domain/store-info.ts';
import { paths } from '#paths.ts';

/** Escapes JSON for a <script>: `<` could end it, and U+2028 and U+2029 end lines in old engines. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

export function productData(store: StoreInfo, product: Product, pictures: readonly Picture[]) {
  const { id, name, description, price, category, saleUntil } = product;
  const { brand, ...codes } = identifiersOf(product.attributes);
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    sku: id,
    ...(brand ? { brand: { '@type': 'Brand', name: brand } } : {}),
    ...codes,
    ...(description ? { description: cutToBytes(description, 1_500) } : {}),
    ...(category ? { category } : {}),
    ...(pictures.length > 0 ? { image: pictures.map(({ src }) => absoluteAddress(store, src)) } : {}),
    ...(isPriced(product)
      ? {
          offers: {
            '@type': 'Offer',
            price,
            priceCurrency: CURRENCY.code,
            ...(saleUntil ? { priceValidUntil: saleUntil } : {}),
            // What cannot be ordered is out of stock, also if its day is known.
            availability: `https://schema.org/${isBuyable(availabilityOf(product, Date.now())) ? 'InStock' : 'OutOfStock'}`,
            url: absoluteAddress(store, paths.product(id)),
          },
        }
      : {}),
  };
}

export interface Crumb {
  readonly name: string;
  readonly href?: string;
}

/** schema.org BreadcrumbList. The last crumb is the page itself and needs no address. */
export const breadcrumbData = (store: StoreInfo, trail: readonly Crumb[]) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    ...(href === undefined ? {} : { item: absoluteAddress(store, href) }),
  })),
});

const returnPolicy = (store: StoreInfo) => ({
  '@type': 'MerchantReturnPolicy',
  applicableCountry: 'IN',
  ...(store.returnDays === 0
    ? { returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted' }
    : {
        returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
        merchantReturnDays: store.returnDays,
        returnMethod: 'https://schema.org/ReturnByMail',
        returnFees: 'https://schema.org/ReturnFeesCustomerResponsibility',
      }),
  merchantReturnLink: absoluteAddress(store, paths.policy('return')),
});

export const storeData = (store: StoreInfo) => ({
  '@context': 'https://schema.org',
  '@type': 'OnlineStore',
  name: displayName(store),
  url: absoluteAddress(store, paths.home),
  ...(store.companyName ? { legalName: store.companyName } : {}),
  ...(store.companyLogoUrl ? { logo: absoluteAddress(store, store.companyLogoUrl) } : {}),
  ...(store.companyAddress ? { address: store.companyAddress } : {}),
  ...(store.companyEmail ? { email: store.companyEmail } : {}),
  ...(store.companyPhone ? { telephone: store.companyPhone } : {}),
  ...(store.social.length > 0 ? { sameAs: store.social.map(({ url }) => url) } : {}),
  hasMerchantReturnPolicy: returnPolicy(store),
});

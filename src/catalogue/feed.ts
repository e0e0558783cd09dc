import * as CURRENCY from '#domain/currency.ts';
import { type DeliveryTerms, deliveryPaise } from '#domain/delivery.ts';
import { type Paise, plainAmount, toPaise } from '#domain/money.ts';
import { isOnSale, isPriced, type Product } from '#domain/product.ts';
import { escapeMarkup } from '#domain/text.ts';

export interface FeedShop {
  readonly name: string;
  readonly description: string;
  readonly home: string;
  readonly delivery: DeliveryTerms;
  /** Returns the absolute URL of a product's page. */
  pageOf(product: Product): string;
}

/** Limits of Google Merchant Center. */
const TITLE_LENGTH = 150;
const DESCRIPTION_LENGTH = 5_000;
const ADDITIONAL_PICTURES = 10;

/** Characters that XML forbids even if escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const escapeXml = (text: string): string => escapeMarkup(text.replace(FORBIDDEN, ''));

const tag = (name: string, text: string): string => (text ? `<${name}>${escapeXml(text)}</${name}>` : '');

const amount = (paise: Paise): string => `${plainAmount(paise)} ${CURRENCY.code}`;

function prices(product: Product): string {
  const onSale = isOnSale(product);
  const regular = onSale ? (product.originalPrice ?? product.price) : product.price;
  return (
    tag('g:price', amount(toPaise(regular))) +
    (onSale ? tag('g:sale_price', amount(toPaise(product.price))) : '')
  );
}

function item(product: Product, shop: FeedShop): string {
  const { id, name, description, image, images, category, parentCategory } = product;
  const additional = images.filter((address) => address !== image).slice(0, ADDITIONAL_PICTURES);
  return [
    '<item>',
    tag('g:id', id),
    tag('title', name.slice(0, TITLE_LENGTH)),
    tag('description', (description || name).slice(0, DESCRIPTION_LENGTH)),
    tag('link', shop.pageOf(product)),
    tag('g:image_link', image),
    ...additional.map((address) => tag('g:additional_image_link', address)),
    prices(product),
    tag('g:availability', 'in_stock'),
    tag('g:condition', 'new'),
    tag('g:brand', shop.name),
    tag('g:identifier_exists', 'no'),
    tag('g:product_type', [parentCategory, category].filter(Boolean).join(' > ')),
    `<g:shipping><g:country>IN</g:country><g:price>${amount(deliveryPaise(toPaise(product.price), shop.delivery))}</g:price></g:shipping>`,
    '</item>',
  ].join('');
}

/** The feed of products with a price, in the format of Google Merchant Center (RSS 2.0). */
export const feedXml = (products: readonly Product[], shop: FeedShop): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>',
    tag('title', shop.name) + tag('link', shop.home) + tag('description', shop.description || shop.name),
    ...products.filter(isPriced).map((product) => item(product, shop)),
    '</channel></rss>',
    '',
  ].join('\n');

import { availabilityOf, isBuyable } from '#domain/buying/availability.ts';
import * as CURRENCY from '#domain/currency.ts';
import { type DeliveryTerms, deliveryPaise } from '#domain/delivery.ts';
import { type Paise, plainAmount, toPaise } from '#domain/money.ts';
import { fingerprint, isOnSale, isPriced, type Product } from '#domain/product.ts';
import { identifiersOf } from '#domain/product-identifiers.ts';
import { escapeMarkup } from '#domain/text.ts';

export interface FeedShop {
  readonly name: string;
  readonly description: string;
  readonly home: string;
  readonly delivery: DeliveryTerms;
  /** Returns the absolute URL of a product's page. */
  pageOf(product: Product): string;
}

/** Limits of Google Merchant Center, in characters. */
const ID_LENGTH = 50;
const TITLE_LENGTH = 150;
const BRAND_LENGTH = 70;
const TYPE_LENGTH = 750;
const DESCRIPTION_LENGTH = 5_000;
const ADDITIONAL_PICTURES = 10;

/** Characters that XML forbids even if escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const escapeXml = (text: string): string => escapeMarkup(text.replace(FORBIDDEN, ''));

const tag = (name: string, text: string): string => (text ? `<${name}>${escapeXml(text)}</${name}>` : '');

const amount = (paise: Paise): string => `${plainAmount(paise)} ${CURRENCY.code}`;

/** A long id is shortened, and always in the same way: Google knows a product by it. */
const idOf = (id: string): string => {
  const hash = `-${fingerprint(id)}`;
  return id.length > ID_LENGTH ? id.slice(0, ID_LENGTH - hash.length) + hash : id;
};

/** Google wants both ends. A sale without a beginning has begun by the time of the product. */
function salePeriod({ saleFrom, saleUntil, createdAt }: Product): string {
  const moments = [saleFrom ?? createdAt, saleUntil].map((iso) => Date.parse(iso ?? ''));
  if (moments.some(Number.isNaN)) return '';
  return moments.map((moment) => `${new Date(moment).toISOString().slice(0, 16)}Z`).join('/');
}

function prices(product: Product): string {
  if (!isOnSale(product)) return tag('g:price', amount(toPaise(product.price)));
  return (
    tag('g:price', amount(toPaise(product.originalPrice ?? product.price))) +
    tag('g:sale_price', amount(toPaise(product.price))) +
    tag('g:sale_price_effective_date', salePeriod(product))
  );
}

/** Another maker's product without its number may have one. Then the feed says nothing about whether it has. */
function identifiers({ attributes }: Product, shopName: string): string {
  const { brand, gtin, mpn } = identifiersOf(attributes);
  const isOwn = brand === undefined || brand.toLowerCase() === shopName.toLowerCase();
  const hasNone = isOwn && !gtin && !mpn;
  return (
    // The number names the brand. The shop's own name would contradict it.
    tag('g:brand', brand ?? (gtin ? '' : shopName.slice(0, BRAND_LENGTH))) +
    tag('g:gtin', gtin ?? '') +
    tag('g:mpn', mpn ?? '') +
    tag('g:identifier_exists', hasNone ? 'no' : '')
  );
}

/** Nothing if the charge depends on the PIN code, which the feed cannot say. The owner sets it in Merchant Center. */
function shippingTag({ price }: Product, { delivery }: FeedShop): string {
  if (delivery.places?.length) return '';
  const charge = amount(deliveryPaise(toPaise(price), delivery));
  return `<g:shipping><g:country>IN</g:country><g:price>${charge}</g:price></g:shipping>`;
}

function item(product: Product, shop: FeedShop): string {
  const { id, name, description, image, images, category, parentCategory } = product;
  const additional = images.filter((address) => address !== image).slice(0, ADDITIONAL_PICTURES);
  return [
    '<item>',
    tag('g:id', idOf(id)),
    tag('title', name.slice(0, TITLE_LENGTH)),
    tag('description', (description || name).slice(0, DESCRIPTION_LENGTH)),
    tag('link', shop.pageOf(product)),
    tag('g:image_link', image),
    ...additional.map((address) => tag('g:additional_image_link', address)),
    prices(product),
    tag('g:availability', isBuyable(availabilityOf(product, Date.now())) ? 'in_stock' : 'out_of_stock'),
    tag('g:condition', 'new'),
    identifiers(product, shop.name),
    tag('g:product_type', [parentCategory, category].filter(Boolean).join(' > ').slice(0, TYPE_LENGTH)),
    shippingTag(product, shop),
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

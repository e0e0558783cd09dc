import { escapeMarkup } from '#domain/markup.ts';
import { isOnSale, isPriced, type Product } from '#domain/product.ts';

/** What the feed says of the shop. */
export interface FeedShop {
  readonly name: string;
  readonly description: string;
  readonly home: string;
  /** A product's page, as an absolute address. */
  pageOf(product: Product): string;
}

/** Limits of Google Merchant Center. */
const TITLE_LENGTH = 150;
const DESCRIPTION_LENGTH = 5_000;
const MORE_PICTURES = 10;

/** What no XML may hold, however it is written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const escapeXml = (text: string): string => escapeMarkup(text.replace(FORBIDDEN, ''));

const tag = (name: string, text: string): string => (text ? `<${name}>${escapeXml(text)}</${name}>` : '');

const inRupees = (price: number): string => `${price.toFixed(2)} INR`;

/** The page's own prices: the regular one, and the lower one where it is on sale (resolutions 11). */
function prices(product: Product): string {
  const onSale = isOnSale(product);
  const regular = onSale ? (product.originalPrice ?? product.price) : product.price;
  return tag('g:price', inRupees(regular)) + (onSale ? tag('g:sale_price', inRupees(product.price)) : '');
}

function item(product: Product, shop: FeedShop): string {
  const { id, name, description, image, images, category, parentCategory } = product;
  const more = images.filter((address) => address !== image).slice(0, MORE_PICTURES);
  return [
    '<item>',
    tag('g:id', id),
    tag('title', name.slice(0, TITLE_LENGTH)),
    tag('description', (description || name).slice(0, DESCRIPTION_LENGTH)),
    tag('link', shop.pageOf(product)),
    tag('g:image_link', image),
    ...more.map((address) => tag('g:additional_image_link', address)),
    prices(product),
    tag('g:availability', 'in_stock'),
    tag('g:condition', 'new'),
    tag('g:brand', shop.name),
    tag('g:identifier_exists', 'no'),
    tag('g:product_type', [parentCategory, category].filter(Boolean).join(' > ')),
    '<g:shipping><g:country>IN</g:country><g:price>0 INR</g:price></g:shipping>',
    '</item>',
  ].join('');
}

/** What can be bought, for Google Merchant Center and others that read its format (RSS 2.0). */
export const feedXml = (products: readonly Product[], shop: FeedShop): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>',
    tag('title', shop.name) + tag('link', shop.home) + tag('description', shop.description || shop.name),
    ...products.filter(isPriced).map((product) => item(product, shop)),
    '</channel></rss>',
    '',
  ].join('\n');

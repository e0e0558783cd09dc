/** Publishes a tiny shop whose every page names the price: `publish-tiny.ts ROOT PRICE`. To be killed. */
import { publishTiny, tinyShop } from '#tests/publish/support/tiny-site.ts';

const [root = '', price = '1'] = process.argv.slice(2);
const shop = tinyShop(60);
shop.design = `v${price}`;
shop.products = shop.products.map((product) => ({ ...product, price: Number(price) }));
await publishTiny(root, shop);

/** `publish-tiny.ts ROOT PRICE` publishes a tiny shop whose pages all depend on the price. The kill loop kills it. */
import { publishTiny, tinyShop } from '#tests/publish/support/tiny-site.ts';

const [root = '', price = '1'] = process.argv.slice(2);
const shop = tinyShop(60);
shop.design = `v${price}`;
shop.products = shop.products.map((product) => ({ ...product, price: Number(price) }));
await publishTiny(root, shop);

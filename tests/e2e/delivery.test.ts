import { formatPaise } from '#domain/money.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { createOrder, fillAddress } from '#tests/support/page.ts';

const BUILT = { charge: 40, freeFrom: null };
const TODAY = { charge: 60.5, freeFrom: null };

test('[spec 3.store.7] [fault 67] a charge for delivery stands in cart and checkout, and is confirmed when it rises', async ({
  page,
  signedInShopper: _,
  filledCart,
}) => {
  // The site under test is built from a shop that delivers free, so its islands get here what the build would write.
  await page.addInitScript(
    (props) => {
      const { getAttribute } = Element.prototype;
      Element.prototype.getAttribute = function (name) {
        const value = getAttribute.call(this, name);
        return this.localName === 'astro-island' && name === 'props' && value === '{}' ? props : value;
      };
    },
    JSON.stringify({ delivery: [0, { charge: [0, BUILT.charge], freeFrom: [0, null] }] }),
  );
  let delivery = BUILT;
  await page.route(`${API}/storeInfo`, (route) => route.fulfill({ json: { delivery } }));
  const total = (terms: typeof BUILT): string => formatPaise(amountsOf(filledCart, terms).total);

  await page.goto('/cart');
  const totals = page.locator('.totals');
  await expect(totals).toContainText('Shipping₹40');
  await expect(totals).toContainText(`Total${total(BUILT)}`);

  await page.goto('/checkout');
  await fillAddress(page);
  await expect(page.locator('#order-recap')).toContainText(`${total(BUILT)}, shipping ₹40`);
  delivery = TODAY;
  await createOrder(page).click();
  await expect(page.locator('.error-summary')).toContainText('Delivery costs more now');
  await expect(page.locator('#order-recap')).toContainText(`${total(TODAY)}, shipping ₹60.50`);
  await createOrder(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
});

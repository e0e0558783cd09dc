import { expect, test } from '#tests/support/fixtures.ts';

/* An unhandled rejection fails a test by itself. */

for (const name of ['pageswap', 'pagereveal']) {
  test(`a transition that is interrupted at ${name}, as when the page is left at once, is no error`, async ({
    page,
  }) => {
    await page.goto('/');
    // Whether a browser really interrupts one is a matter of milliseconds: here it says that it did.
    await page.evaluate((type) => {
      const ready = Promise.reject(new DOMException('Transition was skipped', 'AbortError'));
      dispatchEvent(Object.assign(new Event(type), { viewTransition: { ready } }));
    }, name);
    await page.goto('/contact');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us');
  });
}

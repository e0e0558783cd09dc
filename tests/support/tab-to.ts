import type { Locator } from 'playwright/test';

/** Presses Tab until the control has the focus, at most so many times. */
export async function tabTo(control: Locator, most: number): Promise<void> {
  for (let presses = 0; presses < most; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await control.page().keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${control}.`);
}

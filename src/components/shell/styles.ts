/**
 * Adds styles to the page, as one rule of its last own sheet. The CSP allows no new style element, and Safari has
 * constructable sheets only since 16.4. Extensions mark their sheets.
 */
export function addStyles(css: string): void {
  const own = [...document.querySelectorAll<HTMLStyleElement>('style:not([class], [id])')];
  const sheet = own.pop()?.sheet;
  sheet?.insertRule(`@media all{${css}}`, sheet.cssRules.length);
}

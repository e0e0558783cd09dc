/*
 * Does what no page should do: it blocks, answers late, adds twice and moves. worsen.ts puts it into a copy of the
 * site.
 */
const BLOCKED_MS = 700;
const LATE_MS = 250;
const MOVED_AFTER_MS = 300;

function block(ms) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

block(BLOCKED_MS);
for (const event of ['pointerdown', 'keydown', 'click', 'storage'])
  addEventListener(event, () => block(LATE_MS), { capture: true });

addEventListener(
  'click',
  ({ isTrusted, target }) => {
    const button = target.closest('main button');
    if (isTrusted && /\bto cart$/i.test(button?.textContent.trim())) button.click();
  },
  { capture: true },
);

addEventListener('load', () => {
  setTimeout(() => {
    const banner = document.createElement('div');
    Object.assign(banner.style, { height: '80px' });
    document.body.prepend(banner);
  }, MOVED_AFTER_MS);
});

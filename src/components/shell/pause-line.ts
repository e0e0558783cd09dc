/*
 * Runs after the line of a pause and shows it only during the pause: the page may have been built before, or be opened
 * after it.
 */

const line = document.querySelector<HTMLElement>('[data-pause]');

function showInTime(): void {
  const [from = 0, until = 0] = line?.dataset.pause?.split(' ').map(Number) ?? [];
  const now = Date.now();
  if (line) line.hidden = now < from || now >= until;
}

showInTime();
for (const event of ['pageshow', 'visibilitychange']) addEventListener(event, showInTime);

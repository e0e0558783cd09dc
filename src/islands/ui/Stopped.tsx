import { paths } from '#paths.ts';
import { Button } from './Button.tsx';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function copy(from: Field, to: Field): void {
  if (from.value !== '') to.value = from.value;
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) to.checked = from.checked;
  to.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Copies these fields into those with the same names, as soon as they are on the page. */
export function copyTyped(fields: readonly Field[], islandFields: () => readonly Field[]): void {
  let lost = fields;
  const observer = new MutationObserver(fill);
  function fill(): void {
    const shown = islandFields();
    lost = lost.filter((old) => {
      const field = shown.find(({ name }) => name === old.name);
      if (field) copy(old, field);
      return !field;
    });
    if (lost.length === 0) observer.disconnect();
  }
  observer.observe(document.body, { childList: true, subtree: true });
  fill();
}

export const Stopped = ({ onRetry }: { onRetry(): void }) => (
  <section className="grid justify-items-start gap-4 py-5" role="alert">
    <h2 className="text-heading">This part of the page has stopped</h2>
    <p>
      Another program has changed it, perhaps a translation. What you typed is kept. If you have just ordered
      or paid, look in <a href={paths.orders}>My Orders</a> first: nothing is ordered twice.
    </p>
    <Button onClick={onRetry}>Go on</Button>
    <p>If it stops again, reload the page.</p>
  </section>
);

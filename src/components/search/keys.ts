const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Arrow keys move from the field through the results and back. Escape clears the field. */
export function moveByKeys(field: HTMLInputElement, list: HTMLElement, onClear: () => void): void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      if (field.value === '' && document.activeElement === field) return;
      event.preventDefault();
      field.value = '';
      onClear();
      field.focus();
      return;
    }
    const step = STEPS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const stops = [field, ...list.querySelectorAll<HTMLElement>('h3 a')];
    const card = document.activeElement?.closest('li')?.querySelector<HTMLElement>('h3 a');
    const current = card ? stops.indexOf(card) : 0;
    const next = stops[current + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  field.addEventListener('keydown', onKey);
  list.addEventListener('keydown', onKey);
}

import { MAX_QUANTITY, MIN_QUANTITY } from '#domain/quantity.ts';

const KEYS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/** Lets buttons, arrow keys and typing change a stepper's field, always to a whole number from 1 to 9,999. */
export function enhanceStepper(stepper: Element): void {
  const input = stepper.querySelector('input');
  if (!input) return;
  const buttons = stepper.querySelectorAll<HTMLElement>('[data-step]');

  const set = (quantity: number): void => {
    const whole = Math.min(Math.max(Math.floor(quantity) || MIN_QUANTITY, MIN_QUANTITY), MAX_QUANTITY);
    input.value = String(whole);
    for (const button of buttons) {
      const end = button.dataset.step === '1' ? MAX_QUANTITY : MIN_QUANTITY;
      button.toggleAttribute('aria-disabled', whole === end);
      if (whole === end) button.setAttribute('aria-disabled', 'true');
    }
  };

  for (const button of buttons) {
    button.addEventListener('click', () => set(Number(input.value) + Number(button.dataset.step)));
  }
  input.addEventListener('change', () => set(Number(input.value)));
  input.addEventListener('keydown', (event) => {
    const step = KEYS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(Number(input.value) + step);
  });
}

import { type KeyboardEvent, useId, useState } from 'react';
import { MAX_QUANTITY, MIN_QUANTITY, QUANTITY_WRONG } from '#domain/cart.ts';
import { readQuantity } from '#domain/number-input.ts';
import { keyOf } from '#stores/shell/events.ts';
import { FieldError, fieldAria } from './Field.tsx';
import { Icon } from './icons.tsx';

const MINUS = 'M5 12h14';
const PLUS = 'M5 12h14m-7-7v14';

interface StepperProps {
  readonly itemName: string;
  readonly quantity: number;
  onQuantity(quantity: number): void;
}

const FOCUS = 'focus-visible:[box-shadow:none] focus-visible:-outline-offset-3';
const STEP = `grid place-items-center border-0 bg-transparent hover:not-aria-disabled:bg-leaf-tint aria-disabled:cursor-default aria-disabled:text-control aria-disabled:opacity-60 ${FOCUS}`;

/** A typed number counts at once, so that it counts for Checkout as well. Invalid quantities stay, with an error. */
export function Stepper({ itemName, quantity, onQuantity }: StepperProps) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const isWrong = draft !== undefined && readQuantity(draft).isWrong;
  const step = (by: number) => () => {
    setDraft(undefined);
    onQuantity(quantity + by);
  };
  const type = (input: string) => {
    const read = readQuantity(input);
    setDraft(input);
    if (read.quantity !== undefined) onQuantity(read.quantity);
  };
  const leave = () => {
    if (!isWrong) setDraft(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const key = keyOf(event.nativeEvent);
    if (key === 'Enter') leave();
    else if (key === 'ArrowUp') step(1)();
    else if (key === 'ArrowDown') step(-1)();
    else return;
    event.preventDefault();
  };
  const error = isWrong ? QUANTITY_WRONG : undefined;
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a stepper is a labelled group, not a fieldset of a form */}
      <div
        className="inline-grid h-11.75 grid-cols-[44px_48px_44px] overflow-hidden rounded-full border-[1.5px] border-control"
        role="group"
        aria-label={`Quantity of ${itemName}`}
      >
        <button
          type="button"
          className={STEP}
          aria-label="Decrease quantity"
          aria-disabled={quantity <= MIN_QUANTITY || undefined}
          onClick={step(-1)}
        >
          <Icon path={MINUS} size={18} />
        </button>
        <input
          className={`w-full border-0 bg-transparent text-center font-bold [appearance:textfield] [font-variant-numeric:tabular-nums] ${FOCUS}`}
          inputMode="numeric"
          maxLength={20}
          autoComplete="off"
          aria-label="Quantity"
          {...fieldAria({ id, error })}
          data-quantity
          value={draft ?? quantity}
          onChange={(event) => type(event.target.value)}
          onBlur={leave}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          className={STEP}
          aria-label="Increase quantity"
          aria-disabled={quantity >= MAX_QUANTITY || undefined}
          onClick={step(1)}
        >
          <Icon path={PLUS} size={18} />
        </button>
      </div>
      <div role="alert">{error && <FieldError id={id} error={error} />}</div>
    </div>
  );
}

/** Focuses a quantity that must be corrected before the cart is ordered. Returns whether there is one. */
export function focusWrongQuantity(): boolean {
  const wrong = document.querySelector<HTMLElement>('[data-quantity][aria-invalid=true]');
  wrong?.focus();
  return wrong !== null;
}

import { type KeyboardEvent, useState } from 'react';
import { MAX_QUANTITY, MIN_QUANTITY } from '#domain/cart.ts';
import { Icon, type IconProps } from './icons.tsx';

const MinusIcon = (props: IconProps) => <Icon {...props} path="M5 12h14" />;
const PlusIcon = (props: IconProps) => <Icon {...props} path="M5 12h14m-7-7v14" />;

interface StepperProps {
  readonly itemName: string;
  readonly quantity: number;
  onQuantity(quantity: number): void;
}

const FOCUS = 'focus-visible:[box-shadow:none] focus-visible:-outline-offset-3';
const STEP = `grid place-items-center border-0 bg-transparent hover:not-aria-disabled:bg-leaf-tint aria-disabled:cursor-default aria-disabled:text-control aria-disabled:opacity-60 ${FOCUS}`;

/** The quantity is at least 1. A typed number is applied when the field loses focus or on Enter. */
export function Stepper({ itemName, quantity, onQuantity }: StepperProps) {
  const [draft, setDraft] = useState<string>();
  const current = draft ? Number(draft) : quantity;
  const step = (by: number) => () => {
    setDraft(undefined);
    onQuantity(current + by);
  };
  const commit = () => {
    if (draft) onQuantity(current);
    setDraft(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit();
    else if (event.key === 'ArrowUp') step(1)();
    else if (event.key === 'ArrowDown') step(-1)();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a stepper is a labelled group, not a fieldset of a form
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
        <MinusIcon size={18} />
      </button>
      <input
        className={`w-full border-0 bg-transparent text-center font-bold [appearance:textfield] [font-variant-numeric:tabular-nums] ${FOCUS}`}
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={String(MAX_QUANTITY).length}
        autoComplete="off"
        aria-label="Quantity"
        value={draft ?? quantity}
        onChange={(event) => setDraft(event.target.value.replace(/\D/g, ''))}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        className={STEP}
        aria-label="Increase quantity"
        aria-disabled={quantity >= MAX_QUANTITY || undefined}
        onClick={step(1)}
      >
        <PlusIcon size={18} />
      </button>
    </div>
  );
}

import { type KeyboardEvent, useState } from 'react';
import { MAX_QUANTITY, MIN_QUANTITY } from '#domain/cart.ts';
import { Icon, type IconProps } from './icons.tsx';

const MinusIcon = (props: IconProps) => <Icon {...props} path="M5 12h14" />;
const PlusIcon = (props: IconProps) => <Icon {...props} path="M5 12h14m-7-7v14" />;

interface StepperProps {
  /** What is counted, such as the product's name. */
  readonly of: string;
  readonly quantity: number;
  onQuantity(quantity: number): void;
}

/** A quantity of at least 1. What is typed counts when the field is left or Enter is pressed. */
export function Stepper({ of, quantity, onQuantity }: StepperProps) {
  const [draft, setDraft] = useState<string>();
  const counted = draft ? Number(draft) : quantity;
  const step = (by: number) => () => {
    setDraft(undefined);
    onQuantity(counted + by);
  };
  const commit = () => {
    if (draft) onQuantity(counted);
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
    <div className="stepper stepper-sm" role="group" aria-label={`Quantity of ${of}`}>
      <button
        type="button"
        aria-label="Decrease quantity"
        aria-disabled={quantity <= MIN_QUANTITY || undefined}
        onClick={step(-1)}
      >
        <MinusIcon size={18} />
      </button>
      <input
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
        aria-label="Increase quantity"
        aria-disabled={quantity >= MAX_QUANTITY || undefined}
        onClick={step(1)}
      >
        <PlusIcon size={18} />
      </button>
    </div>
  );
}

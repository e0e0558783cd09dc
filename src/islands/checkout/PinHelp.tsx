import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { suggestedStates } from '#domain/pin-code.ts';
import { Button } from '#islands/ui/Button.tsx';
import { useFocusAfterRemoval } from '#islands/ui/use-focus-after-removal.ts';
import { $pinStates, findStates } from '#stores/checkout/pin-states.ts';
import { $address, changeAddress } from '#stores/checkout/shipping-address.ts';

/** Offers the state that the PIN code belongs to. The shopper chooses it. */
export function PinHelp() {
  const { postalCode, state } = useStore($address);
  const states = suggestedStates(useStore($pinStates), state);
  useEffect(() => void findStates(postalCode), [postalCode]);
  useFocusAfterRemoval(states.length, 'state');
  return (
    <div className="pin-help" role="status">
      {states.length > 0 && (
        <>
          <p>PIN code {postalCode.trim()} belongs to:</p>
          {states.map((name) => (
            <Button key={name} look="outline" size="small" onClick={() => changeAddress('state', name)}>
              <span className="sr-only">Use </span>
              {name}
            </Button>
          ))}
        </>
      )}
    </div>
  );
}

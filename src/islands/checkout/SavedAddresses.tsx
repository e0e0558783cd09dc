import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { addressLines } from '#domain/order.ts';
import type { ShippingAddress } from '#domain/shipping-address.ts';
import { Button } from '#islands/ui/Button.tsx';
import { CheckBox } from '#islands/ui/Field.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { paths } from '#paths.ts';
import { $savedAddresses, $wantsAddressSaved, removeSavedAddress } from '#stores/checkout/saved-addresses.ts';
import { chooseAddress } from '#stores/checkout/shipping-address.ts';

function SavedAddress({ address }: { readonly address: ShippingAddress }) {
  const id = useId();
  return (
    <li className="flex flex-wrap items-center gap-2 pt-2.5">
      <p id={id} className="min-w-0 flex-[1_1_200px] [overflow-wrap:anywhere]">
        {[...addressLines(address), address.phone].join(', ')}
      </p>
      <Button variant="outline" size="small" describedBy={id} onClick={() => chooseAddress(address)}>
        Use
      </Button>
      <Button variant="ghost" size="small" describedBy={id} onClick={() => removeSavedAddress(address)}>
        Forget
      </Button>
    </li>
  );
}

/** A saved address is filled in only when the customer chooses it. */
export function SavedAddresses() {
  const addresses = useStore($savedAddresses);
  useFocusAfterRemoval(addresses.length, 'saved-title', 'shipping-title');
  if (addresses.length === 0) return null;
  return (
    <section className="rounded-panel bg-mist px-4.5 py-3.5" aria-labelledby="saved-title">
      <h3 id="saved-title" className="font-strong text-base leading-[normal]" tabIndex={-1}>
        Addresses on this device
      </h3>
      <ul>
        {addresses.map((address) => (
          <SavedAddress key={JSON.stringify(address)} address={address} />
        ))}
      </ul>
    </section>
  );
}

export function SaveAddress() {
  return (
    <div>
      <CheckBox name="saveAddress" aria-describedby="save-hint" defaultChecked={$wantsAddressSaved.get()}>
        Remember this address on this device
      </CheckBox>
      <p className="text-ink3 text-note" id="save-hint">
        Only in this browser, when the order is created. <a href={paths.device}>What this device keeps</a>
      </p>
    </div>
  );
}

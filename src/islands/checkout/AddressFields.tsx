import { useStore } from '@nanostores/react';
import { useId, useState } from 'react';
import { addressLines } from '#domain/order.ts';
import { PHONE_HINT, phoneHint } from '#domain/phone.ts';
import { isPin, postalCodeHint } from '#domain/pin.ts';
import type { ShippingAddress } from '#domain/shipping-address.ts';
import { Button } from '#islands/ui/Button.tsx';
import { CheckBox, Field, type FieldProps } from '#islands/ui/Field.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { paths } from '#paths.ts';
import { $forecast } from '#stores/cart/price-check.ts';
import { $checkout } from '#stores/checkout/checkout.ts';
import { $savedAddresses, $wantsAddressSaved, removeSavedAddress } from '#stores/checkout/saved-addresses.ts';
import {
  $address,
  $pinStates,
  changeAddress,
  chooseAddress,
  normaliseAddress,
} from '#stores/checkout/shipping-address.ts';

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
function SavedAddresses() {
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

function PinHelp() {
  const { postalCode } = useStore($address);
  const states = useStore($pinStates);
  useFocusAfterRemoval(states.length, 'state');
  return (
    <div className="flex flex-wrap items-center gap-2 empty:-mt-4" role="status">
      {states.length > 0 && (
        <>
          <p>
            PIN code <span>{postalCode.trim()}</span> is probably in:
          </p>
          {states.map((name) => (
            <Button key={name} variant="outline" size="small" onClick={() => changeAddress('state', name)}>
              <span className="sr-only">Use </span>
              <span>{name}</span>
            </Button>
          ))}
        </>
      )}
    </div>
  );
}

type Name = keyof ShippingAddress;

interface AddressFieldProps
  extends Pick<FieldProps, 'label' | 'hint' | 'autoComplete' | 'autoCapitalize' | 'inputMode' | 'type'> {
  /** Returns advice on an unusual text. It is shown after the customer has left the field. */
  advise?(text: string): string | undefined;
}

const WORDS = { autoCapitalize: 'words', inputMode: 'text' } as const;

const FIELDS: Readonly<Record<Name, AddressFieldProps>> = {
  fullName: { label: 'Full name', autoComplete: 'shipping name', ...WORDS },
  address: {
    label: 'Address',
    hint: 'House or flat, street and area',
    autoComplete: 'shipping street-address',
    ...WORDS,
  },
  city: { label: 'City', autoComplete: 'shipping address-level2', ...WORDS },
  state: { label: 'State', autoComplete: 'shipping address-level1', ...WORDS },
  postalCode: {
    label: 'PIN code',
    hint: '6 digits',
    autoComplete: 'shipping postal-code',
    inputMode: 'numeric',
    advise: postalCodeHint,
  },
  phone: {
    label: 'Phone',
    hint: PHONE_HINT,
    type: 'tel',
    autoComplete: 'shipping tel',
    inputMode: 'tel',
    advise: phoneHint,
  },
};

function AddressField({ name, error }: { readonly name: Name; readonly error: string | undefined }) {
  const { advise, ...field } = FIELDS[name];
  const text = useStore($address)[name];
  const checkout = useStore($checkout);
  const failedText = checkout.status === 'failed' ? checkout.address[name] : undefined;
  const [wasLeft, setWasLeft] = useState(false);
  const { place } = useStore($forecast);
  const warning = name === 'postalCode' && isPin(text) ? place[0]?.text : undefined;
  return (
    <Field
      {...field}
      id={name}
      name={name}
      defaultValue={text}
      error={error}
      required
      corrected={text !== failedText && text.trim() !== ''}
      {...(advise && { advice: warning ?? ((wasLeft && advise(text)) || ''), warns: warning !== undefined })}
      onBlur={() => {
        setWasLeft(true);
        normaliseAddress(name);
      }}
    />
  );
}

function SaveAddress() {
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

export function AddressFields({ errors }: { readonly errors: Partial<Record<Name, string>> }) {
  const field = (name: Name) => <AddressField name={name} error={errors[name]} />;
  return (
    <>
      <SavedAddresses />
      {field('fullName')}
      {field('address')}
      <div className="grid gap-4 md:grid-cols-2">
        {field('city')}
        {field('state')}
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        {field('postalCode')}
        {field('phone')}
      </div>
      <PinHelp />
      <SaveAddress />
    </>
  );
}

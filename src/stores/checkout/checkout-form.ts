import { ADDRESS_FIELD_NAMES } from '#domain/shipping-address.ts';
import { stopAll } from '#stores/shell/events.ts';
import type { StoredForm } from '#stores/shell/stored-form.ts';
import { $wantsAddressSaved } from './saved-addresses.ts';
import { $address, changeAddress } from './shipping-address.ts';

export const checkoutForm: StoredForm = {
  texts: () =>
    new Map([...Object.entries($address.get()), ['saveAddress', String($wantsAddressSaved.get())] as const]),
  change: (name, text) => {
    const field = ADDRESS_FIELD_NAMES.find((candidate) => candidate === name);
    if (field) changeAddress(field, text);
    else $wantsAddressSaved.set(text === 'true');
  },
  listen: (changed) => stopAll($address.listen(changed), $wantsAddressSaved.listen(changed)),
};

import type { PaymentField } from './payment-form.ts';

/**
 * The fields in the order of the form. A field with `showWhenFilled` comes right after the last field that it depends
 * on, so that no field ever appears above the one being typed in.
 */
export function arrangeFields(fields: readonly PaymentField[]): PaymentField[] {
  const followers = new Map<string, PaymentField[]>();
  const roots: PaymentField[] = [];
  for (const field of fields) {
    const cause = fields.findLast(
      ({ name }) => name !== field.name && field.showWhenFilled.includes(name),
    )?.name;
    if (cause === undefined) roots.push(field);
    else followers.set(cause, [...(followers.get(cause) ?? []), field]);
  }
  const arranged = new Set<PaymentField>();
  const place = (field: PaymentField): void => {
    if (arranged.has(field)) return;
    arranged.add(field);
    for (const follower of followers.get(field.name) ?? []) place(follower);
  };
  for (const field of [...roots, ...fields]) place(field);
  return [...arranged];
}

/** Whether a field shares its row with the previous or the next field. */
export function sharesRow(visible: readonly PaymentField[], index: number): boolean {
  const isBeside = (field: PaymentField | undefined): boolean =>
    field?.inline === true && field.type !== 'checkbox';
  return (index > 0 && isBeside(visible[index])) || isBeside(visible[index + 1]);
}

/**
 * Leaves the page by posting a form. `checkedUrl` must have passed `domain/payment-target.ts`. A field named 'submit'
 * would hide the form's method, so the prototype's method is called.
 */
export function postForm(
  checkedUrl: string,
  fields: readonly (readonly [name: string, value: string])[],
): void {
  const form = Object.assign(document.createElement('form'), {
    method: 'post',
    action: checkedUrl,
    hidden: true,
  });
  for (const [name, value] of fields)
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
}

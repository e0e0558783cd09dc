/**
 * Leaves the page by posting a form to an address that has passed an allow-list of `domain/payment-target.ts`. A field
 * called 'submit' would hide the form's own method, so the prototype's is called.
 */
export function postForm(
  checkedUrl: string,
  fields: readonly (readonly [name: string, value: string])[],
): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = checkedUrl;
  form.hidden = true;
  for (const [name, value] of fields) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
}

/**
 * Leaves the page by posting a form. `checkedUrl` must have passed `domain/payment-target.ts`. A field named 'submit'
 * would hide the form's method, so the prototype's method is called.
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

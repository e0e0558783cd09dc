/* Loads the search code when the visitor uses the field. */

const form = document.querySelector<HTMLFormElement>('[data-search]');
const field = form?.querySelector<HTMLInputElement>('[name=q]');

function start(): void {
  if (!form || !field) return;
  import('./instant.ts').then(
    ({ searchWhileTyping }) => searchWhileTyping(form, field),
    () => document.querySelector('[data-search-failed]')?.removeAttribute('hidden'),
  );
}

if (field) {
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  if (field.value) start();
  else {
    field.addEventListener('focus', start, { once: true });
    field.focus();
  }
}

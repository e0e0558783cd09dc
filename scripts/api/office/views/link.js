/** Moves the token of a link from the address, which browsers remember, into the form. */
const field = document.querySelector('input[name=token]');
if (field && location.hash.length > 1) {
  field.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
}

/** Moves the token of a link from the address, which browsers remember, into the form. */
const tokenField = document.querySelector('input[name=token]');
if (tokenField && location.hash.length > 1) {
  tokenField.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
}

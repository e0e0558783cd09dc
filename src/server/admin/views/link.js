/** Moves the token of a link from the address, which browsers remember, into the form. */
function takeToken() {
  const tokenField = document.querySelector('input[name=token]');
  if (!tokenField || location.hash.length < 2) return;
  tokenField.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
}
takeToken();
// Another link that is opened on this page changes only what follows the #, so the page is not loaded again.
addEventListener('hashchange', takeToken);

/** Moves the token from the address into the form, so that it does not stay in the browser's history. */
function takeToken() {
  const tokenField = document.querySelector('input[name=token]');
  if (!tokenField || location.hash.length < 2) return;
  tokenField.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
}
takeToken();
// A second link opened in this tab changes only the part after #, so the page is not loaded again.
addEventListener('hashchange', takeToken);

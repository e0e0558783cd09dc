/**
 * Moves the token and the email from the address into the form, so that they do not stay in the browser's history. A
 * password manager stores the new password under the email.
 */
function takeToken() {
  const tokenField = document.querySelector('input[name=token]');
  if (!tokenField || location.hash.length < 2) return;
  tokenField.value = /^[\w-]*/.exec(location.hash.slice(1))[0];
  const email = new URLSearchParams(location.hash).get('email') ?? '';
  // The end of a sentence does not belong to it.
  document.querySelector('input[autocomplete=username]').value = email.replace(/[^\p{L}\p{N}]+$/u, '');
  history.replaceState(null, '', location.pathname);
}
takeToken();
// A second link opened in this tab changes only the part after #, so the page is not loaded again.
addEventListener('hashchange', takeToken);
